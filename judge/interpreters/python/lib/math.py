"""The interpreter's functions, and what they lack."""

from umath import *

inf, nan, tau = float("inf"), float("nan"), 2 * pi


def gcd(*numbers):
    found = 0
    for number in numbers:
        number = abs(number)
        while number:
            found, number = number, found % number
    return found


def lcm(*numbers):
    found = 1
    for number in numbers:
        found = abs(found * number) // gcd(found, number) if number else 0
    return found


def hypot(*sides):
    return sqrt(sum([side * side for side in sides]))


def dist(p, q):
    return sqrt(sum([(a - b) * (a - b) for a, b in zip(p, q)]))


def isqrt(n):
    guess = int(sqrt(n))
    while guess * guess > n:
        guess -= 1
    while (guess + 1) * (guess + 1) <= n:
        guess += 1
    return guess


def comb(n, k):
    return factorial(n) // factorial(k) // factorial(n - k) if 0 <= k <= n else 0


def perm(n, k):
    return factorial(n) // factorial(n - k) if 0 <= k <= n else 0


def prod(iterable, start=1):
    for item in iterable:
        start *= item
    return start


def fsum(iterable):
    return sum(iterable, 0.0)
