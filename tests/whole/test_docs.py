"""The documentation: its commands exist and run, its examples have real keys, its links and paths exist."""

import ast
import json
import re
import shlex
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import click
import pytest
from datasette.cli import cli as datasette
from terminal import whist

import kb.build.knowledge  # noqa: F401, reads all files of the editor's, so that all their models are known
from datasette_plugins.command import cli
from extract.corpus.table import Table

ROOT = Path(__file__).parents[2]
PAGES = {page: page.read_text("utf-8") for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]}
ALL = "\n\n".join(PAGES.values())
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", ALL, re.M | re.S)
THESIS = "The penalty is in English laws, 1864, law 72 (ii)."
# Placeholders in capitals and their values; a command with any other placeholder is not run.
STANDS_FOR = {"BOOK": "drayson-1896", "FILE": "thesis.md", "DIR": "out"}
RUN = {"ask", "search", "show", "compare", "cite", "check", "suggest", "judge", "export"}
NOT_RUN = {"--csv", "--tei", "--keep-texts", "--ask", "--jsonl"}


def commands() -> Any:
    """Every command of the documentation, each with the output that is shown below it."""
    yield from ((" ".join(code.split()), "") for code in re.findall(r"`((?:whist|make) [^`]+)`", ALL))
    for language, block in BLOCKS:
        if language == "sh":
            yield from ((line, "") for line in re.sub(r"\\\n\s*", "", block).splitlines())
        if language == "console":
            yield from (entry.partition("\n")[::2] for entry in re.split(r"^\$ ", block, flags=re.M)[1:])


COMMANDS = dict(commands())


def words(line: str) -> list[str]:
    """The words of the last command of a line, without redirections."""
    parts = shlex.split(line, comments=True)
    return parts[parts.index("|") + 1 if "|" in parts else 0 : parts.index(">") if ">" in parts else None]


WHIST = [line for line in COMMANDS if words(line)[0] == "whist" and len(words(line)) > 1]


def is_run(line: str) -> bool:
    unknown = set(re.findall(r"\b[A-Z]{2,}\b", line)) - STANDS_FOR.keys() | NOT_RUN & {*line.split()}
    return not unknown and words(line)[1] in (RUN if words(line)[2:] else ("check", "rules"))


def require_parsed(group: click.Command, given: list[str]) -> None:
    """Fail if a command or an option does not exist, or an option has no value."""
    context = click.Context(group)
    while isinstance(group, click.Group):
        found = group.get_command(context, given[0])
        assert found, f"there is no command {given[0]}"
        group, given, context = found, given[1:], click.Context(found, context)
    group.make_parser(context).parse_args(given)


@pytest.mark.parametrize("line", WHIST)
def test_commands_parse(line: str) -> None:
    require_parsed(cli, words(line)[1:])


def action(line: str) -> tuple[str, str]:
    """A line's command without `--db`, since all use the same knowledge base here, and its output."""
    return re.sub(r" --db \S+", "", shlex.join(words(line))), COMMANDS[line]


@pytest.mark.parametrize("line", {action(line): line for line in WHIST if is_run(line)}.values())
def test_commands_run(line: str, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the cheap commands that only read; they print what is shown below them."""
    for name in {"whist.db", *re.findall(r"\S+\.db", line)}:
        (tmp_path / name).symlink_to(library)
    (tmp_path / "thesis.md").write_text(THESIS, "utf-8")
    (tmp_path / "corpus").symlink_to(ROOT / "corpus")
    monkeypatch.chdir(tmp_path)
    done = whist(*(STANDS_FOR.get(word, word) for word in words(line)[1:]), said=THESIS)
    assert done.exit_code == 0, (done.output, done.exception)
    output, at = " ".join(done.output.split()), 0
    for shown in re.split(r"\.\.\.|…", COMMANDS[line]):
        at = output.find(" ".join(shown.split()), at)
        assert at >= 0, shown


def test_other_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for line in COMMANDS:
        match words(line):
            case ["make", target, *_]:
                assert f"\n{target}:" in makefile
            case ["datasette", *given]:
                require_parsed(datasette, given)
            case ["python", "-c", program]:
                exec(compile(program, line, "exec"), {})


def keys(value: Any, above: str = "") -> set[str]:
    """The paths of keys in a TOML document."""
    below = value.items() if isinstance(value, dict) else [("", v) for v in value] if isinstance(value, list) else []
    return {above}.union(*(keys(v, f"{above}/{k}".rstrip("/")) for k, v in below))


@pytest.mark.parametrize("example", [block for language, block in BLOCKS if language == "toml"])
def test_toml_examples_have_keys_of_real_files(example: str) -> None:
    files = (ROOT / "corpus").glob(re.sub("[A-Z]+", "*", example.partition("\n")[0].removeprefix("# ")))
    assert keys(tomllib.loads(example)) <= set().union(*(keys(tomllib.loads(f.read_text("utf-8"))) for f in files))


def models(model: type[Table]) -> Iterator[type[Table]]:
    """A model and all its subclasses."""
    yield model
    for derived in model.__subclasses__():
        yield from models(derived)


def test_documented_keys_are_in_the_models() -> None:
    known = {field for model in models(Table) for field in model.model_fields}
    manual = PAGES[ROOT / "docs" / "editing.md"]
    series = re.findall(
        r"^\| (`[^|]*) \|", manual[manual.index("| key of a series") : manual.index("`[[citations")], re.M
    )
    entries = re.findall(r"^\| `\[[^|]*\| ([^|]*) \|", manual, re.M)
    named = {key for text in (*series, *entries) for key in re.findall(r"`([a-z_]+)(?: =[^`]*)?`", text)}
    assert len(named) > 30
    assert named <= known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_paths_exist(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(((?!https?:)[^)#]*)#?([^)]*)\)", PAGES[page]):
        file = page.parent / target if target else page
        assert file.exists(), target
        headings = re.findall(r"^#+ (.*)$", PAGES.get(file.resolve(), ""), re.M)
        assert anchor in ["", *(re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings)], anchor
    for path in re.findall(r"`((?:corpus|extract|kb|datasette_plugins|tests|docs)/[\w./-]*)`", PAGES[page]):
        assert re.search("[A-Z]{4}", path) or (ROOT / path).exists(), path


# Packages import each other as docs/architecture.md says, and the names in it exist.


def test_names_in_the_architecture_exist() -> None:
    names = set(re.findall(r"`((?:extract|kb|datasette_plugins)(?:\.\w+)+)`", PAGES[ROOT / "docs" / "architecture.md"]))
    assert names
    for name in names:
        resolve_name(name)


PACKAGES = ("extract", "kb", "datasette_plugins")
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
}
SUBPACKAGES = sorted({name for name, path in MODULES.items() if path.name == "__init__.py"})


def imports_of(path: Path) -> Iterator[str]:
    """The modules of this project that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.fixture(scope="module")
def imported() -> dict[str, set[str]]:
    """What each module imports."""
    return {name: {*imports_of(path)} for name, path in MODULES.items()}


def package_of(module: str) -> str:
    """The package of a module, or the module itself if it lies directly in a top-level package."""
    return module if module in SUBPACKAGES or module.count(".") < 2 else ".".join(module.split(".")[:2])


def test_no_package_imports_a_later_one(imported: dict[str, set[str]]) -> None:
    for name, found in imported.items():
        order = PACKAGES.index(name.split(".")[0])
        later = {m for m in found if m.split(".")[0] in PACKAGES[order + 1 :]}
        assert not later, f"{name} imports {later}"


def test_no_circular_imports(imported: dict[str, set[str]]) -> None:
    """Imports inside functions and those for types alone count too."""
    for group_of in (str, package_of):
        dependencies: dict[str, set[str]] = defaultdict(set)
        for name, found in imported.items():
            dependencies[group_of(name)] |= {group_of(m) for m in found if m in MODULES} - {group_of(name)}
        assert list(TopologicalSorter(dependencies).static_order())


def test_container_builds_checks_and_serves_as_an_unprivileged_user() -> None:
    lines = re.sub(r"\\\n\s*", "", (ROOT / "docs" / "deploy" / "Containerfile").read_text("utf-8")).splitlines()
    steps = [line.split(" ", 1) for line in lines if line and not line.startswith("#")]
    paths = {path for word, rest in steps if word == "COPY" and "--from" not in rest for path in rest.split()[:-1]}
    assert all((ROOT / path).exists() for path in paths), paths
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert {name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]} <= paths
    # The commands in exec form, which are run without a shell.
    run = [json.loads(rest) for word, rest in steps if word in ("RUN", "ENTRYPOINT")]
    whist = [step for step in run if step[0] == "/venv/bin/whist"]
    assert [step[1] for step in whist] == ["build", "check", "serve"]
    for step in whist:
        known = {option for param in cli.get_command(click.Context(cli), step[1]).params for option in param.opts}
        assert {word for word in step if word.startswith("--")} <= known
        assert step[step.index("--db") + 1] == "/srv/whist.db"
    assert ["USER", "whist"] in steps
