"""The time that the bot has used since the round began: a judge-millisecond is a millisecond."""

from judge_host import clock as time_ns


def time():
    return time_ns() / 1000000000


perf_counter = monotonic = process_time = time
perf_counter_ns = monotonic_ns = process_time_ns = time_ns


def sleep(seconds):
    pass
