"""Operators as functions."""


def itemgetter(*keys):
    if len(keys) == 1:
        return lambda value: value[keys[0]]
    return lambda value: tuple(value[key] for key in keys)


def attrgetter(name):
    return lambda value: getattr(value, name)


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def neg(a):
    return -a


def lt(a, b):
    return a < b


def gt(a, b):
    return a > b


def eq(a, b):
    return a == b
