"""Places in sorted lists."""


def bisect_left(a, x, lo=0, hi=None):
    hi = len(a) if hi is None else hi
    while lo < hi:
        middle = (lo + hi) // 2
        if a[middle] < x:
            lo = middle + 1
        else:
            hi = middle
    return lo


def bisect_right(a, x, lo=0, hi=None):
    hi = len(a) if hi is None else hi
    while lo < hi:
        middle = (lo + hi) // 2
        if x < a[middle]:
            hi = middle
        else:
            lo = middle + 1
    return lo


def insort_left(a, x):
    a.insert(bisect_left(a, x), x)


def insort_right(a, x):
    a.insert(bisect_right(a, x), x)


bisect, insort = bisect_right, insort_right
