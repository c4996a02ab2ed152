# Shared by build.sh and build-native.sh, which source it: arguments, messages and the student's
# file as the compiler gets to see it.
# shellcheck shell=bash
# shellcheck disable=SC2016 # backticks in messages are quotes for people

kit=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

# For the first attempt of compile_brain only.
lean_flags=()

# fail MESSAGE [HINT]: ends the script.
fail() {
    printf 'error: %s\n' "$1" >&2
    if [[ -n ${2-} ]]; then printf '\nhint: %s\n' "$2" >&2; fi
    exit 1
}

# stage_brain BRAIN LINE_NAME: copies the file to $work/brain/brain.cpp, under the name that
# messages shall show. A copy, so that the lab's own brain.h next to the original is not taken for
# the kit's; headers of the student's own are still found there (see include_flags).
stage_brain() {
    local brain=$1 shown=$2
    mkdir -p "$work/brain"
    {
        printf '#line 1 "%s"\n' "$shown"
        # Without the mark that some editors put before UTF-8: it may only stand first.
        LC_ALL=C sed $'1s/^\xef\xbb\xbf//' -- "$brain"
        # Some editors leave the last line without an end, and a `//` there would swallow ours.
        printf '\n'
    } >"$work/brain/brain.cpp"
}

# include_flags BRAIN: the kit's headers first, then the student's own.
include_flags() {
    printf '%s\n' "-iquote$kit/include" "-I$kit/include" "-iquote$(cd -- "$(dirname -- "$1")" && pwd)" \
        "-DJUDGE_KIT_BRAIN=\"$work/brain/brain.cpp\""
}

# What first-year programs get away with elsewhere they get away with here: a forgotten return or
# initialisation, an overflow, a `main` for their own trials, names that newer standards dropped.
# shellcheck disable=SC2034 # for the scripts that source this file
lenient_flags=(
    -Dmain=judge_kit_main_of_the_student
    -fwrapv -fno-strict-aliasing -ftrivial-auto-var-init=zero
    -Wno-register
)

# compile_brain OUTPUT COMPILER_AND_FLAGS...: compiles src/entry.cpp with the student's file in it.
# As it is, with the lean flags and without; then with the standard library included first; then
# with `using namespace std` too. Shows the messages of the attempt that succeeds, or else those
# of the first.
compile_brain() {
    local output=$1 attempt log=$work/attempt
    shift
    for attempt in lean plain everything using_std; do
        local more=()
        case $attempt in
        lean) more=("${lean_flags[@]}") ;;
        plain) ;;
        *) more=(-include "$kit/prelude/$attempt.h") ;;
        esac
        "$@" "${more[@]}" -c "$kit/src/entry.cpp" -o "$output" 2>"$log.$attempt" || continue
        cat -- "$log.$attempt" >&2
        case $attempt in
        everything) printf 'note: compiled with <bits/stdc++.h> included before `%s`\n' "$brain" ;;
        using_std) printf 'note: compiled with `using namespace std;` before `%s`\n' "$brain" ;;
        esac >&2
        return
    done
    cat -- "$log.lean" >&2
    fail "\`$brain\` does not compile"
}
