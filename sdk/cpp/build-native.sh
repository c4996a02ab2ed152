#!/usr/bin/env bash
# Builds a brain.cpp to an ordinary program for this computer.
# shellcheck disable=SC2016 # backticks in messages are quotes for people
set -euo pipefail

usage() {
    cat <<'EOF'
usage: build-native.sh BRAIN.cpp [arcade|pipe|library] [-o OUT] [FLAG...]

  arcade    plays rounds against the judge's random opponent (the default)
  pipe      reads the judge's lines from standard input, answers on standard output
  library   a shared library with one function for each callback
  -o OUT    where the program goes (default: next to the source)
  FLAG...   passed to the compiler, for example -O0 for gdb, or -fsanitize=address,undefined

Uses $CXX, or else g++ or clang++.
EOF
}

# shellcheck source=common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

brain='' program=arcade out='' flags=()
while (($# > 0)); do
    case $1 in
    -h | --help)
        usage
        exit
        ;;
    -o)
        (($# > 1)) || fail '`-o` needs a value'
        out=$2
        shift
        ;;
    arcade | pipe | library) program=$1 ;;
    -*) flags+=("$1") ;;
    *)
        [[ -z $brain ]] || fail "more than one source: \`$brain\` and \`$1\`" \
            "a bot is one file; it may include others"
        brain=$1
        ;;
    esac
    shift
done
[[ -n $brain ]] || {
    usage >&2
    exit 2
}
[[ -f $brain ]] || fail "no such file: \`$brain\`"
if [[ -z $out ]]; then
    out=$(dirname -- "$brain")/$program
    [[ $program != library ]] || out=${brain%.*}.so
fi

compiler=()
for candidate in "${CXX-}" g++ clang++; do
    if [[ -n $candidate ]] && command -v -- "${candidate%% *}" >/dev/null; then
        read -ra compiler <<<"$candidate"
        break
    fi
done
[[ ${#compiler[@]} -gt 0 ]] || fail 'no C++ compiler found' 'install g++ or clang++, or set CXX'

common=(-std=c++20 -O2 -g -fPIC "-I$kit/src" "-I$kit/native")
if "${compiler[@]}" --version | grep -q 'Free Software Foundation'; then
    # GCC would otherwise take the zeros that a brain's memory starts with for dead.
    lenient_flags+=(-fno-lifetime-dse)
fi
link=()
[[ $program != library ]] || link=(-shared)

# Debuggers look for the source under the name given here.
stage_brain "$brain" "$(cd -- "$(dirname -- "$brain")" && pwd)/$(basename -- "$brain")"
mapfile -t includes < <(include_flags "$brain")
compile_brain "$work/entry.o" "${compiler[@]}" "${common[@]}" "${lenient_flags[@]}" \
    "${includes[@]}" "${flags[@]}"
"${compiler[@]}" "${common[@]}" "-I$kit/include" "${flags[@]}" "${link[@]}" \
    "$kit/native/$program.cpp" "$work/entry.o" -o "$out"
printf 'built `%s`\n' "$out"
