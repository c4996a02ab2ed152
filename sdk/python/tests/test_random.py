"""The golden values of `judge/docs/determinism.md`, which all kits share."""

import unittest

from judge_bot import Random


class RandomTest(unittest.TestCase):
    def test_the_first_numbers_of_seed_0_are_those_of_the_referee(self):
        random = Random(0)
        self.assertEqual([random.next() for _ in range(3)], [3234325189, 1963755818, 1465678534])

    def test_a_shuffle_is_that_of_the_referee(self):
        shuffled = Random(2022).shuffle(list(range(10)))
        self.assertEqual(shuffled, [8, 3, 5, 6, 0, 7, 9, 4, 1, 2])

    def test_all_bits_of_a_large_seed_and_stream_are_used(self):
        random = Random(2**53 - 1, 12)
        self.assertEqual([random.next(), random.next()], [3946898693, 4189263495])

    def test_numbers_stay_below_their_bound_and_differ(self):
        random = Random(7)
        self.assertEqual({random.below(6) for _ in range(1000)}, set(range(6)))
        self.assertEqual(random.choice([5]), 5)
