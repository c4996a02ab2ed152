#!/usr/bin/env bash
# Runs once, when Gradescope builds the image. The judge needs only itself and, to build sources, a
# compiler. If one of them does not work here, the image fails, and not a student's submission.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
# Whether sources are built.
build=

chmod +x judge run_autograder
if ! ./judge --version; then
    echo 'The packed judge does not run on this base image. Choose a newer Ubuntu in the' >&2
    echo 'settings of the autograder, or pack a judge that was built on an older system:' >&2
    echo 'judge export gradescope --binary FILE' >&2
    exit 1
fi

[[ -n $build ]] || exit 0
# One package that builds C, C++ and Zig; whatever else is wanted (Go, AssemblyScript) goes here.
try() {
    ./judge grade probe --build --suite "$(echo suite/*/)" >probe/said.txt 2>&1
    # A bot that answers nothing fails its testcases, but it was built.
    (($? <= 1))
}
mkdir -p probe
printf 'int main(void) { return 0; }\n' >probe/bot.c
if ! try && grep -q 'no compiler for ' probe/said.txt; then
    apt-get update
    apt-get install -y --no-install-recommends python3 python3-pip
    pip3 install ziglang || pip3 install --break-system-packages ziglang
    try || true
fi
if ! try; then
    cat probe/said.txt >&2
    echo 'Sources cannot be built on this machine, for the reason above: export the autograder' >&2
    echo 'without --build, and let students submit modules.' >&2
    exit 1
fi
rm -rf probe
