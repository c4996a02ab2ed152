"""Containers: those of the interpreter, and Counter and defaultdict."""

from ucollections import OrderedDict, namedtuple


class deque:
    """A queue with two ends."""

    def __init__(self, iterable=(), maxlen=None):
        self._front, self._back, self.maxlen = [], [], maxlen
        self.extend(iterable)

    def append(self, item):
        self._back.append(item)
        if self.maxlen is not None and len(self) > self.maxlen:
            self.popleft()

    def appendleft(self, item):
        self._front.append(item)
        if self.maxlen is not None and len(self) > self.maxlen:
            self.pop()

    def pop(self):
        if not self._back:
            self._back, self._front = self._halves(self._front)
        return self._back.pop()

    def popleft(self):
        if not self._front:
            self._front, self._back = self._halves(self._back)
        return self._front.pop()

    def _halves(self, items):
        # The half that is wanted first, reversed, and the rest, so that both ends stay quick.
        if not items:
            raise IndexError("pop from an empty deque")
        half = (len(items) + 1) // 2
        return items[:half][::-1], items[half:]

    def extend(self, iterable):
        for item in iterable:
            self.append(item)

    def extendleft(self, iterable):
        for item in iterable:
            self.appendleft(item)

    def clear(self):
        self._front, self._back = [], []

    def rotate(self, n=1):
        if not self:
            return
        for _ in range(n):
            self.appendleft(self.pop())
        for _ in range(-n):
            self.append(self.popleft())

    def copy(self):
        return deque(self, self.maxlen)

    __copy__ = copy

    def count(self, item):
        return list(self).count(item)

    def remove(self, item):
        items = list(self)
        items.remove(item)
        self._front, self._back = [], items

    def __len__(self):
        return len(self._front) + len(self._back)

    def __bool__(self):
        return bool(self._front or self._back)

    def __iter__(self):
        return iter(self._front[::-1] + self._back)

    def __getitem__(self, index):
        front = len(self._front)
        index = index + len(self) if index < 0 else index
        if not 0 <= index < len(self):
            raise IndexError("deque index out of range")
        return self._front[front - 1 - index] if index < front else self._back[index - front]

    def __setitem__(self, index, value):
        front = len(self._front)
        index = index + len(self) if index < 0 else index
        if index < front:
            self._front[front - 1 - index] = value
        else:
            self._back[index - front] = value

    def __contains__(self, item):
        return item in self._front or item in self._back

    def __eq__(self, other):
        return list(self) == list(other)

    def __repr__(self):
        return "deque(" + repr(list(self)) + ")"


class defaultdict(dict):
    """A dict whose missing values are made."""

    def __init__(self, default_factory=None, *args):
        super().__init__(*args)
        self.default_factory = default_factory

    def __getitem__(self, key):
        if key not in self:
            if self.default_factory is None:
                raise KeyError(key)
            super().__setitem__(key, self.default_factory())
        return super().__getitem__(key)

    def __repr__(self):
        return "defaultdict(" + repr(self.default_factory) + ", " + repr(dict(self.items())) + ")"

    def copy(self):
        return defaultdict(self.default_factory, self.items())

    __copy__ = copy


class Counter(dict):
    """How often there is what."""

    def __init__(self, iterable=()):
        super().__init__()
        self.update(iterable)

    def update(self, iterable=()):
        self._count(iterable, 1)

    def subtract(self, iterable=()):
        self._count(iterable, -1)

    def _count(self, iterable, sign):
        if isinstance(iterable, dict):
            for key in iterable:
                self[key] = self[key] + sign * iterable[key]
            return
        for item in iterable:
            self[item] = self[item] + sign

    def __getitem__(self, key):
        return super().__getitem__(key) if key in self else 0

    def most_common(self, n=None):
        return sorted(self.items(), key=lambda pair: -pair[1])[:n]

    def elements(self):
        for key in self:
            for _ in range(self[key]):
                yield key

    def total(self):
        return sum(self.values())
