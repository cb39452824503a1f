"""Replacement of a folder as a whole: it is written beside its target and takes its place when it is whole."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from extract.errors import WhistError
from kb.build.atomic import unwritable


@contextmanager
def whole_folder(target: Path, mark: str) -> Iterator[Path]:
    """A folder to write to, beside the target; it takes the target's place when the block ends well.

    Between two renames there is for a moment no target; a server that reads then finds nothing, never half a copy.

    Args:
        target: the folder to write.
        mark: the name of a file that every such folder has: what has none and is not empty is somebody else's.
    Raises:
        WhistError: the place cannot be written to, or something else stands there.
    """
    aim = target.resolve()
    if aim.exists() and not (aim.is_dir() and ((aim / mark).is_file() or not any(aim.iterdir()))):
        raise WhistError(f"{target} holds something else than a copy of the library; name an empty folder.")
    try:
        aim.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{aim.name}.", suffix=".part", dir=aim.parent))
    except OSError as error:
        raise unwritable(target, error) from error
    try:
        part = beside / "new"
        part.mkdir()
        yield part
        if aim.exists():
            aim.rename(beside / "old")
        part.rename(aim)
    except OSError as error:
        raise unwritable(target, error) from error
    finally:
        if (beside / "old").exists() and not aim.exists():
            (beside / "old").rename(aim)
        shutil.rmtree(beside, ignore_errors=True)
