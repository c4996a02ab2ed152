"""Functions of functions."""


def reduce(function, iterable, *initial):
    it = iter(iterable)
    value = initial[0] if initial else next(it)
    for item in it:
        value = function(value, item)
    return value


def partial(function, *args, **keywords):
    def call(*more, **others):
        both = dict(keywords)
        both.update(others)
        return function(*args, *more, **both)

    return call


def wraps(wrapped):
    return lambda wrapper: wrapper


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return lru_cache(128)(maxsize)

    def decorate(function):
        known = {}

        def call(*args, **keywords):
            key = (args, tuple(sorted(keywords.items()))) if keywords else args
            if key not in known:
                if maxsize is not None and len(known) >= maxsize:
                    known.pop(next(iter(known)))
                known[key] = function(*args, **keywords)
            return known[key]

        return call

    return decorate


def cache(function):
    return lru_cache(None)(function)


def cmp_to_key(compare):
    class Key:
        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return compare(self.obj, other.obj) < 0

        def __gt__(self, other):
            return compare(self.obj, other.obj) > 0

        def __eq__(self, other):
            return compare(self.obj, other.obj) == 0

    return Key


def total_ordering(cls):
    if hasattr(cls, "__lt__"):
        cls.__gt__ = lambda self, other: other < self
        cls.__le__ = lambda self, other: not other < self
        cls.__ge__ = lambda self, other: not self < other
    return cls
