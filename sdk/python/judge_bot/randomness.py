"""Random numbers that are the same in every kit and in the referee.

PCG-XSH-RR 64/32, seeded by SplitMix64, as `judge/docs/determinism.md` describes it.
"""

try:
    from typing import List, Sequence, TypeVar

    T = TypeVar("T")
except ImportError:  # a small interpreter
    pass

_64_BITS = 0xFFFFFFFFFFFFFFFF
_32_BITS = 0xFFFFFFFF
_MULTIPLIER = 6364136223846793005


def _split_mix(seed: int, n: int) -> int:
    """Output number `n` of SplitMix64 started at the seed."""
    mixed = (seed + n * 0x9E3779B97F4A7C15) & _64_BITS
    mixed = ((mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9) & _64_BITS
    mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & _64_BITS
    return mixed ^ mixed >> 31


class Random:
    """A reproducible stream of random numbers."""

    def __init__(self, seed: int = 1, stream: int = 0) -> None:
        self._increment = (stream << 1 | 1) & _64_BITS
        self._state = (_split_mix(seed, stream + 1) + self._increment) & _64_BITS
        self.next()

    def next(self) -> int:
        """The next 32 random bits, as a number from 0."""
        old = self._state
        self._state = (old * _MULTIPLIER + self._increment) & _64_BITS
        folded = ((old >> 18 ^ old) >> 27) & _32_BITS
        turns = old >> 59
        return (folded >> turns | folded << (32 - turns)) & _32_BITS

    def below(self, bound: int) -> int:
        """A uniform number from 0 to `bound` - 1."""
        reject = 0x100000000 % bound
        while True:
            bits = self.next()
            if bits >= reject:
                return bits % bound

    def choice(self, items: "Sequence[T]") -> "T":
        """An element of a list, each as likely as the others."""
        return items[self.below(len(items))]

    def shuffle(self, items: "List[T]") -> "List[T]":
        """Shuffles a list in place: Fisher-Yates from its last element down."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items
