"""Names for type hints, which nothing looks at."""


class _Hint:
    def __getitem__(self, item):
        return self

    def __call__(self, *args, **keywords):
        return args[-1] if args else self


_hint = _Hint()
Any = AnyStr = Callable = ClassVar = Deque = DefaultDict = Dict = Final = FrozenSet = Generator = _hint
Hashable = Iterable = Iterator = List = Literal = Mapping = Optional = Sequence = Set = Tuple = Type = _hint
Union = Self = Counter = NoReturn = Collection = MutableSequence = TypeAlias = _hint
TYPE_CHECKING = False


class Protocol:
    """What other classes may look like."""


class _Generic:
    def __getitem__(self, item):
        return object


Generic = _Generic()


def TypeVar(*args, **keywords):
    return _hint


def cast(kind, value):
    return value


def NamedTuple(name, fields):
    from collections import namedtuple

    return namedtuple(name, [field for field, _ in fields])


def overload(function):
    return function
