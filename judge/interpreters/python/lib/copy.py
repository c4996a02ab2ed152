"""Copies of objects."""


def copy(x):
    if hasattr(x, "__copy__"):
        return x.__copy__()
    if isinstance(x, (list, dict, set, bytearray)):
        return type(x)(x)
    if hasattr(x, "__dict__"):
        return _with(x, lambda value: value)
    return x


def deepcopy(x, memo=None):
    if isinstance(x, list):
        return [deepcopy(item) for item in x]
    if isinstance(x, dict):
        found = x.__copy__() if hasattr(x, "__copy__") else type(x)()
        for key in x:
            found[key] = deepcopy(x[key])
        return found
    if isinstance(x, tuple):
        items = [deepcopy(item) for item in x]
        return tuple(items) if type(x) is tuple else type(x)(*items)
    if isinstance(x, (set, bytearray)):
        return type(x)(x)
    if hasattr(x, "__dict__") and not isinstance(x, type):
        return _with(x, deepcopy)
    return x


def _with(x, change):
    found = object.__new__(type(x))
    for name in x.__dict__:
        setattr(found, name, change(x.__dict__[name]))
    return found
