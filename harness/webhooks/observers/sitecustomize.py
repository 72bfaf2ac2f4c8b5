"""Notes what a program in Python asks of the objects that it gets: keys that it looks up, and what it compares texts with.

Python imports a module of this name before the program. Each line of the file that FIXPOINT_OBSERVED names is
{"in": PATH, "key": KEY} for a key that is looked up, with "text" for a value that the program asks about, or with
"pattern", "before" and "after" for one that it matches. `of` is the kind of an object that is not the request's;
`offered` marks a key that is not looked up, but that would have passed a comparison of the keys, `grown` a value with
one part more than the text had.
"""
import functools
import json
import os
import re
import sys

_LINES_MAX, _BYTES_MAX, _PARTS_MAX, _ELEMENTS_MAX, _CODES_MAX = 4000, 512, 4, 16, 200
_BEFORE_MAX = 12  # instructions
_LOOK_UPS = ("CONTAINS_OP", "BINARY_SUBSCR", "BINARY_OP", "CALL", "PRECALL")
_STANDARD = os.path.dirname(os.__file__)
_loads, _compile, _sub = json.loads, re.compile, functools.partial(re.sub, "[A-Za-z0-9-]+")
_seen, _kinds, _codes = set(), set(), {}
_texts = {}  # the places of each text of the request that is answered
# What stands in a value for a name of the object's own, by the place of the name (runner/learning/trigger.h).
_OWN_NAMES = {"containers[*].name": "<name of a container>", "initContainers[*].name": "<name of a container>",
              "volumeMounts[*].name": "<name of its volume>", "volumes[*].name": "<name of its volume>"}


def _open():
    name = os.environ.get("FIXPOINT_OBSERVED")
    return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) if name else None


_file = _open()


def _write(**line):
    text = json.dumps(line)
    if _file is None or text in _seen or len(_seen) >= _LINES_MAX or len(text) > _BYTES_MAX:
        return
    _seen.add(text)
    os.write(_file, text.encode() + b"\n")


def _dotted(path):
    text = ""
    for step in path:
        text += "[*]" if isinstance(step, int) else ("." if text else "") + step
    return text


def _stands_for(path):
    """What stands in a value for the name at the path; nothing if it is no name of the object's own."""
    return _OWN_NAMES.get(".".join(_dotted(path).split(".")[-2:]))


class _Document:
    """Parsed JSON: of a request, of an object of the cluster, or of a text within one (`within`)."""

    def __init__(self, raw, within=None, of=""):
        self.raw, self.within, self.of, self.names = raw, within, of, None

    def look_up(self, path, key):
        if self.within is None:
            self.note(path, key)
        elif key not in (self.at(path) or {}):
            for value in ("a", {}, ["a"]):
                self.within.offer(self.with_value(path + (key,), value))

    def note(self, path, key, **more):
        if not self.of:  # the request: only its objects count, and its namespace
            if path + (key,) == ("request", "namespace"):
                _write(**{"in": "metadata", "key": key, **more})
            if path[:2] not in (("request", "object"), ("request", "oldObject")):
                return
            path = path[2:]
        where = {"in": _dotted(path), "key": key, **more}
        _write(**({"of": self.of, **where} if self.of else where))

    def own_names(self):
        """What stands for the names of the request's object, by the names; of a single letter none, which is any word."""
        if self.names is None:
            self.names = {}
            if self.within is None and not self.of:
                self.find_names((self.raw.get("request") or {}).get("object"), ())
        return self.names if self.within is None else self.within.document.own_names()

    def find_names(self, value, path):
        for key, one in value.items() if isinstance(value, dict) else ((0, one) for one in value):
            if isinstance(one, (dict, list)):
                self.find_names(one, path + (key,))
            elif isinstance(one, str) and len(one) > 1 and key == "name":
                name = _stands_for(path + (key,))
                if name is not None:
                    self.names[one] = name

    def at(self, path):
        value = self.raw
        for step in path:
            value = value[step]
        return value

    def with_value(self, path, value):
        if not path:
            return json.dumps(value)
        copy = _loads(json.dumps(self.raw))
        at = copy
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value
        return json.dumps(copy)


class _Value:
    """The place of a text in a document."""

    def __init__(self, document, path):
        self.document, self.path = document, path

    def own_name(self):
        """What stands for this text in another one; nothing if it is no name of an element of the request's object."""
        if self.document.of or self.document.within is not None or isinstance(self, _Key):
            return None
        return _stands_for(self.path)

    def with_names(self, text):
        """The text, with what stands for them in the places of the object's own names."""
        names = self.document.own_names() if self.own_name() is None else {}
        return _sub(lambda word: names.get(word.group(), word.group()), text) if names else text

    def offer(self, text, **more):
        within = self.document.within
        if within is not None:
            if "pattern" not in more:
                within.offer(self.document.with_value(self.path, text), **more)
        elif self.path and isinstance(self.path[-1], str):
            self.document.note(self.path[:-1], self.path[-1], **({} if "pattern" in more else {"text": text}), **more)


class _Key(_Value):
    """The place of a key; `path` is that of its map."""

    def offer(self, text, **more):
        document = self.document
        if "pattern" in more:
            if document.within is None:
                document.note(self.path, "", **more)
        elif document.within is not None:
            document.within.offer(document.with_value(self.path + (text,), "a"), **more)
        else:
            document.note(self.path, text, offered=True)


class Text(str):
    """A text of a document, or a part of one between `before` and `after`."""

    def __new__(cls, text, place, before="", after=""):
        self = super().__new__(cls, text)
        self.place, self.before, self.after = place, before, after
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce_ex__(self, protocol):
        return str, (str(self),)

    def offer(self, text, grown=False):
        named = self.place.with_names
        whole = named(self.before) + text + named(self.after)
        self.place.offer(whole, **({"grown": True} if grown else {}))

    def refer(self, other):
        """Notes that the text is compared with a name of the object's own."""
        name = other.place.own_name()
        if name is not None and self.place.own_name() is None:
            self.offer(name)

    def ask(self, pattern):
        if isinstance(pattern, str):
            self.place.offer("", pattern=pattern, before=self.before, after=self.after)

    def part(self, begin, end):
        text = str(self)
        return Text(text[begin:end], self.place, self.before + text[:begin], text[end:] + self.after)

    def same(self, text):
        return Text(text, self.place, self.before, self.after)

    def compare(self, other):
        if type(other) is str and other:
            self.offer(other)
        elif type(other) is Text:
            self.refer(other)
            other.refer(self)

    def __eq__(self, other):
        self.compare(other)
        return str.__eq__(self, other)

    def __ne__(self, other):
        self.compare(other)
        return str.__ne__(self, other)

    def __hash__(self):
        for table in _tables_at(sys._getframe(1)):
            for one in list(table)[:_ELEMENTS_MAX]:
                self.compare(one)
        return str.__hash__(self)

    def __contains__(self, part):
        self.search(part)
        return str.__contains__(self, part)

    def search(self, part):
        if type(part) is str and part:
            self.offer("a" + part + "a")
            if len(part) > 1:
                self.offer(part)

    def __getitem__(self, at):
        if isinstance(at, slice) and at.step in (None, 1):
            begin, end, _ = at.indices(len(self))
            return self.part(begin, max(begin, end))
        return str.__getitem__(self, at)

    def startswith(self, begin, *rest):
        for one in begin if isinstance(begin, tuple) else (begin,):
            if type(one) is str and one:
                self.offer(one + "a")
                if one == "/":
                    self.offer("/a/a")
        return str.startswith(self, begin, *rest)

    def endswith(self, end, *rest):
        for one in end if isinstance(end, tuple) else (end,):
            if type(one) is str and one:
                self.offer("a" + one)
        return str.endswith(self, end, *rest)

    def find(self, part, *rest):
        self.search(part)
        return str.find(self, part, *rest)

    def index(self, part, *rest):
        self.search(part)
        return str.index(self, part, *rest)

    def parts_of(self, parts, separator):
        """The parts in their order, each with what is around it."""
        at, found = 0, []
        for one in parts:
            begin = str.find(self, one, at)
            found.append(self.part(begin, begin + len(one)))
            at = begin + len(one)
        if separator and len(parts) < _PARTS_MAX:
            named = self.place.with_names(str(self))
            self.offer(named + separator + "a", grown=True)
            if len(parts) == 1:
                self.offer(named + separator + named, grown=named == str(self))
        return found

    def split(self, sep=None, maxsplit=-1):
        return self.parts_of(str.split(self, sep, maxsplit), sep or " ")

    def rsplit(self, sep=None, maxsplit=-1):
        return self.parts_of(str.rsplit(self, sep, maxsplit), sep or " ")

    def splitlines(self, *rest):
        return self.parts_of(str.splitlines(self, *rest), "\n")

    def partition(self, sep):
        return tuple(self.parts_of(str.partition(self, sep), sep if str.find(self, sep) < 0 else ""))

    def rpartition(self, sep):
        return tuple(self.parts_of(str.rpartition(self, sep), sep if str.find(self, sep) < 0 else ""))

    def removeprefix(self, begin):
        return self.part(len(begin), len(self)) if self.startswith(begin) else self

    def removesuffix(self, end):
        return self.part(0, len(self) - len(end)) if self.endswith(end) else self

    def isdigit(self):
        self.offer("1")
        return str.isdigit(self)

    isnumeric = isdecimal = isdigit

    def __int__(self):
        self.offer("1")
        self.offer("8080")
        return int(str(self))

    def __float__(self):
        self.offer("0.5")
        return float(str(self))

    def strip(self, *rest):
        return self.parts_of([str.strip(self, *rest)], "")[0]

    def lstrip(self, *rest):
        return self.parts_of([str.lstrip(self, *rest)], "")[0]

    def rstrip(self, *rest):
        return self.parts_of([str.rstrip(self, *rest)], "")[0]

    def lower(self):
        return self.same(str.lower(self))

    def upper(self):
        return self.same(str.upper(self))

    def casefold(self):
        return self.same(str.casefold(self))


class Map(dict):
    """A map of a document."""

    def __init__(self, entries, document, path):
        super().__init__(entries)
        self.document, self.path = document, path

    def __deepcopy__(self, memo):
        return Map({key: _copied(value, memo) for key, value in dict.items(self)}, self.document, self.path)

    def __reduce_ex__(self, protocol):
        return dict, (dict(self),)

    def copy(self):
        return Map(dict(self), self.document, self.path)

    def note(self, key):
        if type(key) is str:
            self.document.look_up(self.path, key)

    def __getitem__(self, key):
        self.note(key)
        return dict.__getitem__(self, key)

    def __contains__(self, key):
        self.note(key)
        return dict.__contains__(self, key)

    def get(self, key, *rest):
        self.note(key)
        return dict.get(self, key, *rest)

    def setdefault(self, key, *rest):
        self.note(key)
        return dict.setdefault(self, key, *rest)

    def pop(self, key, *rest):
        self.note(key)
        return dict.pop(self, key, *rest)


class Table(dict):
    """A map of the program's own JSON, such as accounts by "namespace/name"."""

    def look(self, key):
        keys = [one for one in dict.keys(self) if isinstance(one, str)][:_ELEMENTS_MAX]
        if type(key) is Text:
            for one in keys:
                key.compare(str(one))
        elif type(key) is str:
            parts = key.split("/")
            others = [other for other in (one.split("/") for one in keys) if len(other) == len(parts)]
            for i, part in enumerate(parts):
                for text in _texts.get(part, ()):
                    for other in others:
                        text.compare(other[i])

    def __getitem__(self, key):
        self.look(key)
        return dict.__getitem__(self, key)

    def __contains__(self, key):
        self.look(key)
        return dict.__contains__(self, key)

    def get(self, key, *rest):
        self.look(key)
        return dict.get(self, key, *rest)


def _table(value):
    if isinstance(value, dict):
        return Table({key: _table(one) for key, one in value.items()})
    return [_table(one) for one in value] if isinstance(value, list) else value


def _copied(value, memo):
    import copy
    return copy.deepcopy(value, memo)


def _wrapped(value, document, path):
    if isinstance(value, dict):
        entries = {Text(key, _Key(document, path)): _wrapped(one, document, path + (key,)) for key, one in value.items()}
        return Map(entries, document, path)
    if isinstance(value, list):
        return [_wrapped(one, document, path + (i,)) for i, one in enumerate(value)]
    if not isinstance(value, str):
        return value
    text = Text(value, _Value(document, path))
    if document.within is None and not document.of and len(_texts) < _LINES_MAX:
        same = _texts.setdefault(value, [])
        if len(same) < _PARTS_MAX:
            same.append(text)
    return text


def _document_of(value):
    """The document that a parsed value is; nothing for the program's own texts."""
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        return None
    if value["kind"] == "AdmissionReview":
        _texts.clear()
        shown = (value.get("request") or {}).get("object")
        _kinds.add((shown or {}).get("kind") if isinstance(shown, dict) else None)
        return _Document(value)
    if value["kind"] in _kinds:  # the program's own copy of the request's object
        return _Document({"request": {"object": value}})
    return _Document(value, of=value["kind"])


def _caller():
    """The frame of the program that parses a text, by json.load() or json.loads()."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_STANDARD + "/json", __file__)):
        frame = frame.f_back
    return frame


def loads(text, *rest, **options):
    value = _loads(text, *rest, **options)
    if isinstance(text, Text):
        if not text.before and not text.after:
            return _wrapped(value, _Document(value, within=text.place), ())
        return value
    document = _document_of(value)
    # What a program reads before its first request is its own, whatever kind it says.
    if document is None or not _kinds:
        return _table(value) if _is_of_program(_caller()) else value
    wrapped = _wrapped(document.raw, document, ())
    return wrapped if document.raw is value else dict.get(dict.get(wrapped, "request"), "object")


def _load_text(text, *rest, **options):
    if isinstance(text, Text) and not text.before and not text.after:
        for offered in ("{}", "[]", "[{}]", '["a"]'):
            text.offer(offered)
    return loads(text, *rest, **options)


class Pattern:
    """A compiled pattern."""

    def __init__(self, compiled):
        self._compiled = compiled

    def __getattr__(self, name):
        return getattr(self._compiled, name)

    def _ask(self, text):
        if isinstance(text, Text):
            text.ask(self._compiled.pattern)
        return text

    def match(self, text, *rest):
        return self._compiled.match(self._ask(text), *rest)

    def fullmatch(self, text, *rest):
        return self._compiled.fullmatch(self._ask(text), *rest)

    def search(self, text, *rest):
        return self._compiled.search(self._ask(text), *rest)

    def findall(self, text, *rest):
        return self._compiled.findall(self._ask(text), *rest)

    def finditer(self, text, *rest):
        return self._compiled.finditer(self._ask(text), *rest)


def _is_of_program(frame):
    return not frame.f_code.co_filename.startswith((_STANDARD, __file__, "<frozen"))


def _variable(frame, name):
    for scope in (frame.f_locals, frame.f_globals):
        if name in scope:
            return scope[name]
    return None


def _member(value, name):
    """A member that is stored, since a computed one might do something."""
    for owner in (value, value if isinstance(value, type) else type(value)):
        if name in getattr(owner, "__dict__", {}):
            return owner.__dict__[name]
    return None


def _tables_at(frame):
    """The program's sets and dictionaries in which its current instruction may look a text up."""
    code = frame.f_code
    if not _is_of_program(frame) or (id(code) not in _codes and len(_codes) >= _CODES_MAX):
        return []
    if id(code) not in _codes:
        _codes[id(code)] = code, {one.offset: i for i, one in enumerate(_instructions(code))}, list(_instructions(code))
    _, places, instructions = _codes[id(code)]
    at = places.get(frame.f_lasti)
    if at is None or not instructions[at].opname.startswith(_LOOK_UPS):
        return []
    tables, value = [], None
    for one in instructions[max(0, at - _BEFORE_MAX):at]:
        if one.opname == "LOAD_CONST":
            value = one.argval
        elif one.opname.startswith(("LOAD_ATTR", "LOAD_METHOD")):
            value = _member(value, one.argval)
        elif one.opname.startswith("LOAD_"):
            value = _variable(frame, one.argval)
        elif one.opname.startswith(("STORE_", "POP_")):  # the end of another expression
            tables, value = [], None
        if type(value) in (set, frozenset, dict) and not any(value is table for table in tables):
            tables.append(value)
    return tables


def _compile_noted(pattern, flags=0):
    compiled = _compile(pattern, flags)
    return Pattern(compiled) if isinstance(pattern, str) and _is_of_program(sys._getframe(1)) else compiled


def _noted(function):
    def call(pattern, text, *rest, **options):
        pattern = pattern._compiled if isinstance(pattern, Pattern) else pattern
        if isinstance(text, Text):
            text.ask(pattern if isinstance(pattern, str) else getattr(pattern, "pattern", None))
        return function(pattern, text, *rest, **options)
    return call


if _file is not None:
    _write(language="python")
    from dis import get_instructions as _instructions
    json.loads = _load_text
    re.compile = _compile_noted
    for _name in ("match", "fullmatch", "search", "findall", "finditer"):
        setattr(re, _name, _noted(getattr(re, _name)))
