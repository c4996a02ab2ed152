#!/usr/bin/env bash
# Measures what each language costs, and prints the tables of `judge/docs/book/languages.md`:
#
#   sdk/measure/run.sh JUDGE [--language NAME]… [--repeat N]
#
# JUDGE is an optimised binary; compilers are found as `judge build` finds them. Progress goes to
# stderr. Takes ten minutes or more; nothing else should run meanwhile.
set -euo pipefail

export PYTHONDONTWRITEBYTECODE=1
exec python3 "$(dirname -- "${BASH_SOURCE[0]}")/measure.py" "$@"
