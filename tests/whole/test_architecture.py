"""What docs/architecture.md names is there, and packages import one another as it says."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from pkgutil import resolve_name

ROOT = Path(__file__).parents[2]
PACKAGES = ("extract", "kb", "datasette_plugins")
PLAN = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
}


ROOMS = sorted({name for name, path in MODULES.items() if path.name == "__init__.py"})


def imported(path: Path) -> Iterator[str]:
    """The modules of this project that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def room(module: str) -> str:
    """The room in which a module stands: a package, or the module itself on a package's ground floor."""
    return module if module in ROOMS or module.count(".") < 2 else ".".join(module.split(".")[:2])


def test_what_the_plan_names_is_there() -> None:
    packages = "|".join(PACKAGES)
    names = set(re.findall(rf"`((?:{packages})(?:\.\w+)+)`", PLAN))
    paths = set(re.findall(rf"`((?:{packages}|tests|docs)/[\w./-]*)`", PLAN))
    assert names and paths
    for name in names:
        resolve_name(name)
    assert not [path for path in paths if not (ROOT / path).exists()]


def test_nothing_imports_upstream() -> None:
    for name, path in MODULES.items():
        order = PACKAGES.index(name.split(".")[0])
        later = {m for m in imported(path) if m.split(".")[0] in PACKAGES[order + 1 :]}
        assert not later, f"{name} imports {later}"


def test_neither_modules_nor_rooms_import_one_another_in_a_circle() -> None:
    """Not even late, nor for their types alone: each can be read after what it rests on."""
    for standing in (str, room):
        below: dict[str, set[str]] = defaultdict(set)
        for name, path in MODULES.items():
            below[standing(name)] |= {standing(m) for m in imported(path) if m in MODULES} - {standing(name)}
        assert list(TopologicalSorter(below).static_order())
