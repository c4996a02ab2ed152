#!/usr/bin/env bash
# Tests of the C++ kit: awkward sources become bots that the judge can run, hands score as the rules
# say, native programs play like the judge. Needs node besides the compilers.
# shellcheck disable=SC2016 # backticks in messages are quotes for people
set -euo pipefail

kit=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
passed=0 failed=0

# check NAME COMMAND...: counts whether it succeeds; shows its output when it does not.
check() {
    local name=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        passed=$((passed + 1))
        printf 'ok: %s: %s\n' "$name" "$(tail -n 1 -- "$work/output")"
    else
        failed=$((failed + 1))
        printf 'failed: %s\n' "$name"
        sed 's/^/    /' -- "$work/output"
    fi
}

# directive KIND FILE: the words after `// KIND:` at the start of a test's source.
directive() { sed -n "s|^// $1: ||p" -- "$2"; }

# build_and_play SOURCE [OPTION...]: builds it with the options of its `// build:` line, and runs
# check.mjs on it with those of its `// check:` line and the given ones.
build_and_play() {
    local source=$1 bot build look
    shift
    bot=$work/$(basename -- "$source" .cpp).wasm
    read -ra build <<<"$(directive build "$source")" || true
    read -ra look <<<"$(directive check "$source")" || true
    "$kit/build.sh" "$source" -o "$bot" "${build[@]}" &&
        node "$kit/tests/check.mjs" "$bot" "${look[@]}" "$@"
}
bot_and_talk() { build_and_play "$1" --talk "$1"; }

# finished STEM: the output in STEM.output, and the exit code in STEM.code.
finished() {
    cat -- "$1.output"
    return "$(<"$1.code")"
}

# check_each COMMAND SOURCE...: checks that the command takes each of the sources; as many at once as
# there are processors.
check_each() {
    local command=$1 source stem running=0
    shift
    for source; do
        if ((running >= $(nproc))); then
            wait -n
            running=$((running - 1))
        fi
        stem=$work/$(basename -- "$source")
        {
            code=0
            "$command" "$source" >"$stem.output" 2>&1 || code=$?
            echo "$code" >"$stem.code"
        } &
        running=$((running + 1))
    done
    wait
    for source; do
        stem=$work/$(basename -- "$source")
        check "$(basename -- "$source")" finished "$stem"
    done
}
check_each build_and_play "$kit"/tests/brains/*.cpp "$kit"/tests/dying/*.cpp
check_each bot_and_talk "$kit"/tests/bots/*.cpp

# The same source gives the same bytes, at any path and next to any files.
same_bytes() {
    mkdir -p "$work/elsewhere/deep"
    cp -- "$kit/tests/brains/printf_assert.cpp" "$work/elsewhere/deep/brain.cpp"
    cp -- "$kit/tests/brains/printf_assert.cpp" "$work/brain.cpp"
    printf '#error the brain.h of the lab\n' >"$work/elsewhere/deep/brain.h"
    "$kit/build.sh" "$work/brain.cpp" -o "$work/one.wasm" --name same
    (cd "$work/elsewhere" && "$kit/build.sh" deep/brain.cpp -o two.wasm --name same)
    cmp "$work/one.wasm" "$work/elsewhere/two.wasm" && echo 'equal'
}
check 'bytes do not depend on folders' same_bytes

# The examples of the README work.
# readme_source N: its Nth C++ program.
readme_source() {
    awk -v n="$1" '/^```/ { inside = /^```cpp$/; found += inside; next } inside && found == n' \
        "$kit/README.md"
}
# readme_bot N OPTION...: checks that it plays Mahjong with these options of check.mjs.
readme_bot() {
    local bot=$work/readme$1
    readme_source "$1" >"$bot.cpp"
    shift
    "$kit/build.sh" "$bot.cpp" --game mahjong && node "$kit/tests/check.mjs" "$bot.wasm" "$@"
}
check "the README's first bot" readme_bot 1 --no-imports
check "the README's bot for any game" readme_bot 2 --log throw --any-answer

# Errors of the student are shown once, under the name of the student's file.
shows_errors() {
    printf '#include "brain.h"\nclass MyBrain : public Brain { int x = "no"; };\n' >"$work/wrong.cpp"
    ! "$kit/build.sh" "$work/wrong.cpp" 2>"$work/messages" || return 1
    grep -q '^wrong.cpp:2:' "$work/messages" && tail -n 1 "$work/messages"
}
check 'errors name the file and the line' shows_errors

too_large() {
    printf '#include "brain.h"\nint big[600000];\n' >"$work/big.cpp"
    cat >>"$work/big.cpp" <<'EOF'
class MyBrain : public Brain {
    void getDraw(Tile t) { ++big[t.toInt()]; }
    Tile requestDiscard() { return big[12] ? 12 : 13; }
    void getOppDiscard(Tile) {}
    bool requestWin(Tile, bool) { return true; }
};
EOF
    ! "$kit/build.sh" "$work/big.cpp" 2>"$work/messages" || return 1
    grep 'does not fit into 2 MiB' "$work/messages"
}
check 'a bot over 2 MiB is refused with a reason' too_large

# refuses MESSAGE LINE...: checks that a source of these lines is refused for this reason. The
# script and its options are in `how`.
refuses() {
    local message=$1
    shift
    printf '%s\n' "$@" >"$work/refused.cpp"
    ! "${how[@]}" "$work/refused.cpp" -o "$work/refused" 2>"$work/messages" || return 1
    grep -F -- "$message" "$work/messages"
}
how=("$kit/build.sh")
check 'neither a MyBrain nor a MyBot' refuses 'has neither `MyBrain` nor `MyBot`' \
    '#include "bot.h"' '// MyBot comes later' 'class Mine : public Bot {};'
check 'both a MyBrain and a MyBot' refuses 'has both `MyBrain` and `MyBot`' \
    '#include "brain.h"' 'class MyBrain;' 'class MyBot;'
check 'a MyBot without an answer' refuses 'refused.cpp` does not compile' \
    '#include "bot.h"' 'class MyBot : public Bot {};'
how=("$kit/build.sh" --game cc)
check 'a MyBrain for another game' refuses 'cannot play `cc`' '#include "brain.h"' 'class MyBrain;'
how=("$kit/build-native.sh" arcade)
check 'an arcade for a MyBot' refuses '`arcade` is for a `MyBrain`' '#include "bot.h"' 'class MyBot;'

# Native programs.
native_test() {
    "${CXX_NATIVE:-g++}" -std=c++20 -O1 -g -Wall -Wextra -Werror -I"$kit/include" \
        -I"$kit/include/bot" -I"$kit/native" "$kit/tests/$1.cpp" -o "$work/$1" && "$work/$1" "$2"
}
check 'hands, waits and distances' native_test hand_test "$kit/tests/vectors.txt"
check 'walls and rounds' native_test round_test "$kit/tests/vectors.txt"
check 'games' native_test games_test "$kit/../golden"

# build_native PROGRAM: builds a brain natively; to $work/PROGRAM.
build_native() {
    "$kit/build-native.sh" "$kit/tests/brains/own_search.cpp" "$1" -o "$work/$1" -Wall -Wextra
}
arcade() { build_native arcade && "$work/arcade" --seed 1 --rounds 8; }
check 'arcade' arcade

pipe() {
    build_native pipe
    printf '%s\n' 'game mahjong seat 1' 'draw 3b' 'draw 9d' 'discard?' 'opponent 9d' \
        'game mahjong seat 2' 'draw 1c' 'win? 7d self' 'what? 1' 'discard?' 'end loss 0 3' |
        "$work/pipe" >"$work/answers"
    printf '%s\n' 3b no '' 1c | diff - "$work/answers" && echo 'answers as expected'
}
check 'pipe' pipe

pipe_bot() {
    local source=$kit/tests/bots/words_and_rounds.cpp
    "$kit/build-native.sh" "$source" -o "$work/pipe_bot" -Wall -Wextra
    directive hears "$source" | "$work/pipe_bot" >"$work/answers"
    directive says "$source" | diff - "$work/answers" && echo 'answers as expected'
}
check 'pipe of a MyBot' pipe_bot

library() {
    build_native library && nm -D "$work/library" | grep -c ' T judge_\(new\|free\|draw\|discard\|opponent\|win\)$' |
        grep -x 6
}
check 'library' library

printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
