#!/usr/bin/env bash
# Builds a C++ file with a MyBrain or a MyBot to an ordinary program for this computer.
# shellcheck disable=SC2016 # backticks in messages are quotes for people
set -euo pipefail

usage() {
    cat <<'EOF'
usage: build-native.sh SOURCE.cpp [arcade|pipe|library] [-o OUT] [FLAG...]

  arcade    plays rounds against the judge's random opponent (MyBrain; its default)
  pipe      reads the judge's lines from standard input, answers on standard output (MyBot's default)
  library   a shared library with one function for each callback (MyBrain)
  -o OUT    where the program goes (default: next to the source)
  FLAG...   passed to the compiler, for example -O0 for gdb, or -fsanitize=address,undefined

Uses $CXX, or else g++ or clang++.
EOF
}

# shellcheck source=common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

program='' out='' flags=()
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
        [[ -z $source ]] || fail "more than one source: \`$source\` and \`$1\`" \
            "a bot is one file; it may include others"
        source=$1
        ;;
    esac
    shift
done
[[ -n $source ]] || {
    usage >&2
    exit 2
}
[[ -f $source ]] || fail "no such file: \`$source\`"

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

# Debuggers look for the source under the name given here.
stage_source "$(cd -- "$(dirname -- "$source")" && pwd)/$(basename -- "$source")"
find_form "${compiler[@]}" "${common[@]}" "${lenient_flags[@]}" "${flags[@]}"
case $form,$program in
brain,) program=arcade ;;
bot,) program=pipe ;;
bot,arcade | bot,library) fail "\`$program\` is for a \`MyBrain\`, and \`$source\` has a \`MyBot\`" \
    'build `pipe`' ;;
esac
if [[ -z $out ]]; then
    out=$(dirname -- "$source")/$program
    [[ $program != library ]] || out=${source%.*}.so
fi
link=()
[[ $program != library ]] || link=(-shared)

compile_source "$work/entry.o" "${compiler[@]}" "${common[@]}" "${lenient_flags[@]}" \
    "${form_flags[@]}" "${flags[@]}"
"${compiler[@]}" "${common[@]}" "${form_flags[@]}" "${flags[@]}" "${link[@]}" \
    "$kit/native/$program.cpp" "$work/entry.o" -o "$out"
printf 'built `%s`\n' "$out"
