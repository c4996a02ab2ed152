#!/usr/bin/env bash
# Runs for every submission: grades the one module in it, or the module that its source is built to
# where sources are wanted. No file of the submission is run outside of the judge's sandbox, a source
# is built in a confined process, and names are quoted wherever they are shown.
# The folders can be named by the environment, to try this elsewhere.
set -uo pipefail

source=${JUDGE_SOURCE:-/autograder/source}
submission=${JUDGE_SUBMISSION:-/autograder/submission}
results=${JUDGE_RESULTS:-/autograder/results}
# When students see the results of testcases, and whether there is a leaderboard.
options=()
# Whether sources are built.
build=

# say TEXT: results without testcases. Students see the text, which is a fixed one.
say() {
    printf '{"score": 0, "output": "%s", "output_format": "text", "visibility": "visible", "stdout_visibility": "hidden", "tests": []}\n' \
        "$1" >"$work/said.json"
    mv -f -- "$work/said.json" "$results/results.json"
}

mkdir -p -- "$results"
# In the same file system, so that a result is never written in part.
work=$(mktemp -d -- "$results/.judge-XXXXXX") || exit 1
trap 'rm -rf -- "$work"' EXIT

# The result if this script is stopped before its end.
say 'The grading was not finished: it took too long, or the machine failed. This says nothing about your bot. Submit again, and tell the staff if it happens twice.'

modules=()
while IFS= read -r -d '' file; do
    modules+=("$file")
done < <(find -H "$submission" -mindepth 1 -name '.?*' -prune -o -name __MACOSX -prune -o \
    ! -type d -iname '*.wasm' -print0 2>/dev/null)

# names FILE...: the first five, from the submission's folder, with plain characters alone.
names() {
    local LC_ALL=C file name list=''
    for file in "${@:1:5}"; do
        name=${file#"$submission"}
        name=${name#/}
        name=${name:0:60}
        list+=${list:+, }${name//[!A-Za-z0-9.\/_-]/_}
    done
    (($# <= 5)) || list+=" and $(($# - 5)) more"
    printf '%s' "$list"
}

if ((${#modules[@]} == 0)) && [[ -n $build ]]; then
    # The judge finds the source, and tells what is wrong with it.
    bot=("$submission" --build)
elif ((${#modules[@]} == 0)); then
    files=()
    while IFS= read -r -d '' file; do
        files+=("$file")
    done < <(find -H "$submission" -mindepth 1 -name '.?*' -prune -o -name __MACOSX -prune -o \
        ! -type d -print0 2>/dev/null | head -z -n 1000 | sort -z)
    found='It is empty'
    ((${#files[@]} == 0)) || found="It has $(names "${files[@]}")"
    say "There is no .wasm file in the submission. $found. Build your bot, and submit the module."
    exit 0
fi
if ((${#modules[@]} > 1)); then
    mapfile -d '' -t modules < <(printf '%s\0' "${modules[@]}" | sort -z)
    say "There are several .wasm files in the submission: $(names "${modules[@]}"). Submit only one."
    exit 0
fi

if ((${#modules[@]} == 1)); then
    # A link could lead to any file of this machine, and a pipe or device might never end.
    if [[ -L ${modules[0]} || ! -f ${modules[0]} ]]; then
        say 'The .wasm file in the submission is a link or not a file. Submit the module itself.'
        exit 0
    fi
    # More than the judge takes, so that what is too large is refused by the judge, and no more is
    # copied.
    if ! head -c 5242880 -- "${modules[0]}" >"$work/bot.wasm"; then
        say 'The submission could not be read. This says nothing about your bot: submit again.'
        exit 1
    fi
    bot=("$work/bot.wasm")
fi
suite=("$source"/suite/*/)

grade() {
    "$source/judge" grade "${bot[@]}" --suite "${suite[0]}" --for-student \
        --report "gradescope=$work/results.json" ${options[@]+"${options[@]}"}
}

grade
code=$?
if ((code == 4)); then
    # The judge itself failed, which is never a verdict: once more.
    grade
    code=$?
fi
if [[ -s $work/results.json ]]; then
    mv -f -- "$work/results.json" "$results/results.json"
elif ((code == 3)); then
    say 'The submission was refused: it is too large, or there is nothing in it to build.'
else
    say 'The judge failed. This says nothing about your bot: submit again, and tell the staff.'
    exit 1
fi
