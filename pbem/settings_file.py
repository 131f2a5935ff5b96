"""Reads a YAML file into frozen structs, and says of every mistake: which file, line and key, and what would work."""

import re
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
import yaml
from rapidfuzz import process
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from pbem.refusal import Refusal

#: Values longer than this are not quoted back.
LONGEST_QUOTE = 60

Model = TypeVar("Model")
Step = str | int
Remark = Callable[[str], None]


class TheSettingsAreWrong(Refusal):
    pass


class TheSettingsCannotBeRead(Refusal):
    pass


class TheSettingsAreMissing(Refusal):
    pass


class DoesNotFit(ValueError):
    """What a struct says when its values, each right alone, do not fit together."""

    def __init__(self, key: str, why: str, remedy: str) -> None:
        super().__init__(f"{key} {why}")
        self.key = key
        self.why = why
        self.remedy = remedy


def read_settings(
    path: Path, model: type[Model], retired: Mapping[str, str] = MappingProxyType({}), remark: Remark = lambda _: None
) -> Model:
    """The file as a `model`. What is `retired`, by its dotted name, is passed over with a remark of what came of it."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise _missing(f"there is no {path}") from error
    except UnicodeDecodeError as error:
        raise TheSettingsCannotBeRead(f"{path} is not written in UTF-8", "Save it again as UTF-8 text.") from error
    except OSError as error:
        raise TheSettingsCannotBeRead(f"{path} cannot be read ({error.strerror})", "Look at its owner.") from error
    reader = _Reader(path, text)
    reader.pass_over(retired, remark)
    return reader.read(model)


def _missing(why: str) -> TheSettingsAreMissing:
    """Without it players' mail would go where nobody reads it."""
    return TheSettingsAreMissing(
        f"{why}, and nothing is taken for granted without it",
        "Put your copy back in its place, or start again from the text that pbem init writes into a new directory.",
    )


class _Reader:
    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.root, self.data = self._parse(text)

    def _parse(self, text: str) -> tuple[Node | None, Any]:
        try:
            root = yaml.compose(text, Loader=yaml.SafeLoader)
            self._refuse_repeated_keys(root)
            data = yaml.safe_load(text)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            where = f", line {mark.line + 1}" if mark else ""
            raise TheSettingsAreWrong(
                f"{self.path}{where}: this is not YAML ({error.problem or error.context})",
                "A line is a key, a colon, a blank and a value; what belongs to a section is indented with blanks.",
            ) from None  # the error quotes the line, and somebody may have put a password there
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise TheSettingsAreWrong(f"{self.path}: this is not YAML ({type(error).__name__})") from None
        if data is None:
            raise _missing(f"{self.path} is empty")
        return root, _without_empty_sections(data)

    def _refuse_repeated_keys(self, node: Node | None) -> None:
        for mapping in _mappings(node):
            seen: set[str] = set()
            for key, _ in mapping.value:
                name = str(key.value)
                if name in seen:
                    line = key.start_mark.line + 1
                    raise TheSettingsAreWrong(
                        f"{self.path}, line {line}: {name} stands there twice", "Keep one of the two lines."
                    )
                seen.add(name)

    def pass_over(self, retired: Mapping[str, str], remark: Remark) -> None:
        for name, instead in retired.items():
            section, _, key = name.partition(".")
            lines = self.data.get(section) if isinstance(self.data, dict) else None
            if isinstance(lines, dict) and key in lines:
                del lines[key]
                line = _line_of(self.root, (section, key))
                remark(f"{name} in {self.path}, line {line}, is not used any more: {instead}")

    def read(self, model: type[Model]) -> Model:
        try:
            return msgspec.convert(self.data, model, dec_hook=_path_from)
        except msgspec.ValidationError as error:
            raise self._explained(error, model) from error

    # -------------------------------------------------------------- what is wrong

    def _explained(self, error: msgspec.ValidationError, model: type) -> TheSettingsAreWrong:
        cause = error.__cause__
        if isinstance(cause, DoesNotFit):
            return self._wrong(tuple(cause.key.split(".")), cause.why, cause.remedy)
        said, _, place = str(error).partition(" - at ")
        if not place and not isinstance(self.data, Mapping):
            return self._wrong((), "holds no sections", "Start again from what pbem init writes.")
        steps = _steps(place)
        if place.startswith("`key` in"):
            return self._wrong(steps, "holds a key that is not a word", "Each line begins with the name of a setting.")
        if unknown := re.search(r"unknown field `(.+)`", said):
            return self._unknown((*steps, unknown[1]), model)
        if missing := re.search(r"missing required field `(.+)`", said):
            steps = (*steps, missing[1])
            return self._wrong(steps, "is missing", f"Give it {_wanted(self.data, model, steps)}.")
        return self._wrong(steps, f"cannot be {self._quoted(steps)}", f"Give it {_wanted(self.data, model, steps)}.")

    def _unknown(self, steps: tuple[Step, ...], model: type) -> TheSettingsAreWrong:
        key = str(steps[-1])
        if "password" in key.lower() or "secret" in key.lower():
            return self._wrong(
                steps,
                "has no place in this file: it could be read, copied and shown with it",
                "Remove it. Put the password into a file of its own and name that as password_file, or set the"
                " variable PBEM_IMAP_PASSWORD or PBEM_SMTP_PASSWORD.",
            )
        fitting = [name for struct in _structs(self.data, model, steps[:-1]) for name in _hints(struct)]
        others = [struct for struct in _all_structs(model, steps[:-1]) if key in _hints(struct)]
        close = process.extractOne(key, fitting, score_cutoff=70)
        if close:
            remedy = f"Did you mean {close[0]}?"
        elif others:
            remedy = f"It goes with kind: {_tag(others[0])}."
        else:
            remedy = f"There are: {', '.join(fitting)}."
        return self._wrong(steps, "is not a setting", remedy)

    def _wrong(self, steps: tuple[Step, ...], why: str, remedy: str) -> TheSettingsAreWrong:
        line = _line_of(self.root, steps)
        where = f"{self.path}, line {line}" if line else str(self.path)
        return TheSettingsAreWrong(f"{where}: {_dotted(steps)} {why}".replace(":  ", ": "), remedy)

    def _quoted(self, steps: tuple[Step, ...]) -> str:
        value = self.data
        for step in steps:
            value = value[step]
        if isinstance(value, Mapping | list):
            return "a section" if isinstance(value, Mapping) else "a list"
        if value is None or isinstance(value, bool):
            return {None: "empty", True: "true", False: "false"}[value]
        return repr(value) if len(str(value)) <= LONGEST_QUOTE else "that"


def _path_from(wanted: type, value: Any) -> Any:
    if wanted is Path and isinstance(value, str) and value:
        return Path(value)
    raise ValueError("not a path")


def _without_empty_sections(data: Any) -> Any:
    """A section whose lines are all commented out is as if it were not there."""
    if not isinstance(data, dict):
        return data
    return {key: value for key, value in data.items() if value is not None}


# ------------------------------------------------------------------ finding the place


def _steps(place: str) -> tuple[Step, ...]:
    """`$.inbox.folders[2]` -> inbox, folders, 2"""
    found = re.findall(r"\.(\w+)|\[(\d+)\]", place)
    return tuple(name or int(index) for name, index in found)


def _dotted(steps: tuple[Step, ...]) -> str:
    return ".".join(step for step in steps if isinstance(step, str))


def _mappings(node: Node | None) -> Iterator[MappingNode]:
    """Every mapping of the document once; an anchor may lead back to where it came from."""
    waiting, seen = [node], set()
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, MappingNode):
            yield one
            waiting.extend(value for _, value in one.value)
        elif isinstance(one, SequenceNode):
            waiting.extend(one.value)


def _line_of(node: Node | None, steps: tuple[Step, ...]) -> int | None:
    """The line of the last step that is in the file."""
    line = None
    for step in steps:
        found: Node | None = None
        if isinstance(node, MappingNode):
            for key, value in node.value:
                if isinstance(key, ScalarNode) and key.value == step:
                    line, found = key.start_mark.line + 1, value
        elif isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
            found = node.value[step]
            line = found.start_mark.line + 1
        if found is None:
            return line
        node = found
    return line


# ------------------------------------------------------------------ what would work


def _hints(struct: type) -> dict[str, Any]:
    hints = get_type_hints(struct, include_extras=True)
    named = {name: hints[name] for name in struct.__struct_fields__}  # type: ignore[attr-defined]
    return named | ({"kind": None} if _tag(struct) else {})


def _tag(struct: type) -> str:
    return str(struct.__struct_config__.tag or "")  # type: ignore[attr-defined]


def _members(hint: Any) -> list[Any]:
    """The types a hint allows: those of a union, or itself."""
    if get_origin(hint) is Annotated:
        return _members(get_args(hint)[0])
    return list(get_args(hint)) if get_origin(hint) in (Union, types.UnionType) else [hint]


def _all_structs(model: type, steps: tuple[Step, ...]) -> list[type]:
    """The structs that may stand at a place."""
    structs: list[type] = [model]
    for step in steps:
        hints = [_hints(struct)[str(step)] for struct in structs if step in _hints(struct)]
        structs = [
            one for hint in hints for one in _members(hint) if isinstance(one, type) and issubclass(one, msgspec.Struct)
        ]
    return structs


def _structs(data: Any, model: type, steps: tuple[Step, ...]) -> list[type]:
    """Of these the one that was chosen with `kind`, if one was."""
    for step in steps:
        data = data[step] if isinstance(data, Mapping) and step in data else {}
    kind = data.get("kind") if isinstance(data, Mapping) else None
    structs = _all_structs(model, steps)
    return [struct for struct in structs if _tag(struct) == kind] or structs


def _wanted(data: Any, model: type, steps: tuple[Step, ...]) -> str:
    """What would work at a place, in words."""
    names = [step for step in steps if isinstance(step, str)]
    if not names:
        return "sections"
    structs = _structs(data, model, tuple(names[:-1]))
    if names[-1] == "kind":
        return " or ".join(filter(None, map(_tag, _all_structs(model, tuple(names[:-1])))))
    hints = [_hints(struct)[names[-1]] for struct in structs if names[-1] in _hints(struct)]
    return _in_words(hints[0]) if hints else "something else"


def _in_words(hint: Any) -> str:
    if get_origin(hint) is Annotated:
        described = [meta.description for meta in get_args(hint)[1:] if getattr(meta, "description", None)]
        return described[-1] if described else _in_words(get_args(hint)[0])
    if get_origin(hint) is Literal:
        return " or ".join(map(str, get_args(hint)))
    members = [member for member in _members(hint) if member is not type(None)]
    if len(members) == 1 and members[0] is not hint:
        return _in_words(members[0])
    if all(isinstance(member, type) and issubclass(member, msgspec.Struct) for member in members):
        return "a section of settings, indented below it"
    return {bool: "true or false", Path: "the path of a file or directory"}.get(hint, "a value of another kind")
