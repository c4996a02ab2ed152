#!/usr/bin/env bash
# Runs once, when Gradescope builds the image. The judge needs nothing but itself; that it runs
# here is found out now rather than when somebody hands in.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"

chmod +x judge run_autograder
if ! ./judge --version; then
    echo 'The packed judge does not run on this base image. Choose a newer Ubuntu in the' >&2
    echo 'settings of the autograder, or pack a judge that was built on an older system:' >&2
    echo 'judge export gradescope --binary FILE' >&2
    exit 1
fi
