# Shared by build.sh and build-native.sh, which source it: arguments, messages and the student's
# file in the form that the compiler sees.
# shellcheck shell=bash
# shellcheck disable=SC2016 # backticks in messages are quotes for people

kit=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

# The student's file.
source=''

# For the first attempt of compile_source only.
lean_flags=()

# fail MESSAGE [HINT]: ends the script.
fail() {
    printf 'error: %s\n' "$1" >&2
    if [[ -n ${2-} ]]; then printf '\nhint: %s\n' "$2" >&2; fi
    exit 1
}

# stage_source LINE_NAME: copies $source to $work/student/source.cpp, under the name for messages. A
# copy, so that the lab's own brain.h next to the original is not taken for the kit's; the student's
# own headers are still found there (see find_form).
stage_source() {
    mkdir -p "$work/student"
    {
        printf '#line 1 "%s"\n' "$1"
        # Without the mark that some editors put before UTF-8: it may only come first.
        LC_ALL=C sed $'1s/^\xef\xbb\xbf//' -- "$source"
        # Some editors leave the last line without an end, and a `//` there would swallow ours.
        printf '\n'
    } >"$work/student/source.cpp"
}

# use_form FORM: a source is a brain or a bot. Sets `form`, its student's `class`, and `form_flags`.
use_form() {
    local folder base
    folder=$(cd -- "$(dirname -- "$source")" && pwd)
    form=$1
    case $form in
    # The kit's headers first, then the student's own.
    brain)
        base=Brain
        form_flags=("-iquote$kit/include" "-I$kit/include" "-iquote$folder")
        ;;
    # Of the kit's headers bot.h only: the student's own game.h is not taken for the lab's.
    bot)
        base=Bot
        form_flags=("-iquote$kit/include/bot" "-iquote$folder" "-I$kit/include/bot"
            "-I$kit/include")
        ;;
    esac
    class=My$base
    form_flags+=("-DJUDGE_KIT_SOURCE=\"$work/student/source.cpp\"" "-DJUDGE_KIT_BASE=$base"
        "-DJUDGE_KIT_CLASS=$class" "-DJUDGE_KIT_SEAT=\"${form}_seat.h\"")
}

# find_form COMPILER_AND_FLAGS...: uses the form of the class in the staged source. The compiler
# removes the comments and inserts the headers, which may have the class as well. If it cannot, the
# raw source is searched, and its errors are shown later.
find_form() {
    local candidate staged=$work/student/source.cpp found=()
    for candidate in brain bot; do
        use_form "$candidate"
        "$@" "${form_flags[@]}" -E -P "$staged" >"$work/read.cpp" 2>/dev/null ||
            cp -- "$staged" "$work/read.cpp"
        ! grep -qw "$class" "$work/read.cpp" || found+=("$candidate")
    done
    case ${found[*]} in
    brain | bot) use_form "${found[0]}" ;;
    '') fail "\`$source\` has neither \`MyBrain\` nor \`MyBot\`" \
        'write `class MyBrain : public Brain` (Mahjong) or `class MyBot : public Bot` (any game)' ;;
    *) fail "\`$source\` has both \`MyBrain\` and \`MyBot\`" 'call one of them something else' ;;
    esac
}

# First-year habits that other compilers accept are accepted here too: a forgotten return or
# initialisation, an overflow, a `main` for their own trials, names that newer standards dropped.
# shellcheck disable=SC2034 # for the scripts that source this file
lenient_flags=(
    -Dmain=judge_kit_main_of_the_student
    -fwrapv -fno-strict-aliasing -ftrivial-auto-var-init=zero
    -Wno-register
)

# compile_source OUTPUT COMPILER_AND_FLAGS...: compiles src/entry.cpp with the student's file in it.
# First unchanged, with the lean flags and without; then with the standard library included first;
# then with `using namespace std` too. Shows the messages of the successful attempt, or else those
# of the first.
compile_source() {
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
        everything) printf 'note: compiled with <bits/stdc++.h> included before `%s`\n' "$source" ;;
        using_std) printf 'note: compiled with `using namespace std;` before `%s`\n' "$source" ;;
        esac >&2
        return
    done
    cat -- "$log.lean" >&2
    fail "\`$source\` does not compile"
}
