"""Iterators out of iterators."""


def count(start=0, step=1):
    while True:
        yield start
        start += step


def cycle(iterable):
    items = list(iterable)
    while items:
        for item in items:
            yield item


def repeat(item, times=None):
    while times is None or times > 0:
        yield item
        if times is not None:
            times -= 1


def _flat(iterables):
    for each in iterables:
        for item in each:
            yield item


class chain:
    """One after the other."""

    def __init__(self, *iterables):
        self._items = _flat(iterables)

    def __iter__(self):
        return self._items

    def __next__(self):
        return next(self._items)

    @staticmethod
    def from_iterable(iterables):
        return _flat(iterables)


def islice(iterable, *args):
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (tuple(args) + (None,))[:3]
    start, step = start or 0, step or 1
    at = 0
    if stop is not None and stop <= 0:
        return
    for item in iterable:
        if at >= start and (at - start) % step == 0:
            yield item
        at += 1
        if stop is not None and at >= stop:
            return


def accumulate(iterable, func=None, *, initial=None):
    total = initial
    if total is not None:
        yield total
    for item in iterable:
        if total is None:
            total = item
        else:
            total = func(total, item) if func else total + item
        yield total


def product(*iterables, repeat=1):
    pools = [tuple(pool) for pool in iterables] * repeat
    found = [()]
    for pool in pools:
        found = [before + (item,) for before in found for item in pool]
    return iter(found)


def permutations(iterable, r=None):
    pool = tuple(iterable)
    r = len(pool) if r is None else r
    return _orders(pool, list(range(len(pool))), r, False)


def combinations(iterable, r):
    pool = tuple(iterable)
    return _orders(pool, list(range(len(pool))), r, True)


def _orders(pool, left, r, rising):
    if r == 0:
        yield ()
        return
    for at, index in enumerate(left):
        rest = left[at + 1 :] if rising else left[:at] + left[at + 1 :]
        for more in _orders(pool, rest, r - 1, rising):
            yield (pool[index],) + more


def combinations_with_replacement(iterable, r):
    pool = tuple(iterable)

    def go(start, left):
        if left == 0:
            yield ()
            return
        for at in range(start, len(pool)):
            for more in go(at, left - 1):
                yield (pool[at],) + more

    return go(0, r)


def groupby(iterable, key=None):
    group, last, any_yet = [], None, False
    for item in iterable:
        value = key(item) if key else item
        if any_yet and value != last:
            yield last, iter(group)
            group = []
        group.append(item)
        last, any_yet = value, True
    if any_yet:
        yield last, iter(group)


def zip_longest(*iterables, fillvalue=None):
    lists = [list(each) for each in iterables]
    for at in range(max([len(each) for each in lists] or [0])):
        yield tuple(each[at] if at < len(each) else fillvalue for each in lists)


def takewhile(predicate, iterable):
    for item in iterable:
        if not predicate(item):
            return
        yield item


def dropwhile(predicate, iterable):
    dropping = True
    for item in iterable:
        dropping = dropping and predicate(item)
        if not dropping:
            yield item


def starmap(function, iterable):
    for args in iterable:
        yield function(*args)


def filterfalse(predicate, iterable):
    for item in iterable:
        if not (predicate(item) if predicate else item):
            yield item


def pairwise(iterable):
    items = list(iterable)
    return zip(items, items[1:])


def tee(iterable, n=2):
    items = list(iterable)
    return tuple(iter(items) for _ in range(n))
