"""Random numbers, the same in every repetition of a round."""

from judge_host import random, seed as _seed


def seed(a=None, version=2):
    _seed(hash(a) if a is not None else 1)


def uniform(a, b):
    return a + (b - a) * random()


def randrange(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    count = len(range(start, stop, step))
    if count <= 0:
        raise ValueError("empty range for randrange()")
    return start + step * int(random() * count)


def randint(a, b):
    return randrange(a, b + 1)


def getrandbits(k):
    value = 0
    for _ in range(k):
        value = value * 2 + (random() < 0.5)
    return value


def choice(seq):
    if not seq:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[int(random() * len(seq))]


def shuffle(x):
    for i in range(len(x) - 1, 0, -1):
        j = int(random() * (i + 1))
        x[i], x[j] = x[j], x[i]


def sample(population, k):
    pool = list(population)
    if not 0 <= k <= len(pool):
        raise ValueError("Sample larger than population or is negative")
    shuffle(pool)
    return pool[:k]


def choices(population, weights=None, k=1):
    population = list(population)
    if weights is None:
        return [choice(population) for _ in range(k)]
    total = sum(weights)
    return [_weighted(population, weights, random() * total) for _ in range(k)]


def _weighted(population, weights, at):
    for item, weight in zip(population, weights):
        at -= weight
        if at < 0:
            return item
    return population[-1]


def gauss(mu=0.0, sigma=1.0):
    from math import cos, log, pi, sqrt

    return mu + sigma * sqrt(-2.0 * log(1.0 - random())) * cos(2.0 * pi * random())


class Random:
    """Shares the one source of random numbers."""

    def __init__(self, a=None):
        if a is not None:
            seed(a)


for _name in ("seed", "random", "uniform", "randrange", "randint", "choice", "shuffle", "sample", "choices"):
    setattr(Random, _name, staticmethod(globals()[_name]))
