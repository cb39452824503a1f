"""A knowledge base that is as its corpus has it: left as it is, taken from the cache, or built.

Only the standard library is loaded until it is known that there is something to build.
"""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

from extract.errors import DatabaseError
from kb.build import fingerprint
from kb.build.atomic import JOURNALS, whole_file
from kb.build.cache import Cache

Made = Literal["unchanged", "kept", "built"]
_SQLITE = b"SQLite format 3\x00"
_LARGEST_KEPT = 2**27  # bytes; of a larger file only the digest is kept


def bring_up_to_date(
    corpus: Path,
    target: Path,
    cache: Cache | None,
    *,
    unaided: bool = False,
    executor: Executor | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    progress: Callable[[str], None] = print,
) -> Made:
    """Have a file be the knowledge base of a corpus, with no more work than that needs.

    Args:
        corpus, target, unaided, executor, workers, progress: as for `kb.build.database.build`.
        cache: what was made before; None to build all anew.
        scheduler: the address of the scheduler of a Dask cluster, which is only asked if there is something to build.
    Returns:
        Whether the file was so already (it is not touched), was made before and is brought back, or was built.
    Raises:
        WhistError: a book is not what it must be, or the file is no database or cannot be written.
    """
    _require_no_other(target)
    key = _key(corpus, unaided) if cache else None
    if cache and key:
        found = _kept(cache, key)
        if found and _is_unchanged(target, found):
            return "unchanged"
        if found and (data := cache.get("file", found)) is not None:
            with whole_file(target, beside=JOURNALS) as path:
                path.write_bytes(data)
            return "kept"
    from kb.build.database import build

    with ExitStack() as open_:
        if scheduler:
            from kb.build.workers import cluster

            executor = open_.enter_context(cluster(scheduler))
        build(
            corpus.resolve(),
            target,
            unaided=unaided,
            executor=executor,
            workers=workers,
            progress=progress,
            cache=cache,
        )
    if cache:
        if key and _key(corpus, unaided) == key:  # nobody has written in the corpus meanwhile
            _keep(cache, key, target)
        cache.trim()
    return "built"


def _require_no_other(target: Path) -> None:
    """Refuse to put a knowledge base where there is something else: a scan, named by mistake."""
    try:
        if not stat.S_ISREG(target.stat().st_mode):
            return
        with target.open("rb") as file:
            begin = file.read(len(_SQLITE))
    except OSError:
        return
    if begin and begin != _SQLITE:
        raise DatabaseError(f"{target} is there already and is no database; name another file with --db, or delete it.")


def _key(corpus: Path, unaided: bool) -> str | None:
    read = fingerprint.of_folder(corpus)
    return fingerprint.digest(fingerprint.of_code(), read, "unaided" if unaided else "") if read else None


def _kept(cache: Cache, key: str) -> str | None:
    """The digest of the file that was made of the same."""
    data = cache.get("database", key)
    found: str | None = json.loads(data) if data else None
    return found


def _keep(cache: Cache, key: str, target: Path) -> None:
    try:
        found = digest_of(target)
        if target.stat().st_size <= _LARGEST_KEPT:
            cache.put("file", found, target.read_bytes())
    except OSError:
        return
    cache.put("database", key, json.dumps(found).encode())


def _is_unchanged(target: Path, digest: str) -> bool:
    """Whether a file with this digest stands there, and no other process has begun to write to it."""
    try:
        return (
            stat.S_ISREG(target.stat().st_mode)
            and not any(target.with_name(target.name + ending).exists() for ending in JOURNALS)
            and digest_of(target) == digest
        )
    except OSError:
        return False


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
