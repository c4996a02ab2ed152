#!/usr/bin/env bash
# Adds the game of the walk-through to a copy of this repository (one folder, one word on one line)
# and runs its conformance test there: what adding-a-game.md says is all that it takes.
set -euo pipefail

repository=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf -- "$copy"' EXIT

cd -- "$repository"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy"
cd -- "$copy"
cp -r judge/games/examples/nim judge/games/src/nim
sed -i 's/^registry::games! { \(.*\) }$/registry::games! { \1, nim }/' judge/games/src/lib.rs

export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$repository/target}
cargo test --quiet --package judge-games --lib -- conforms::nim | tee "$copy/log"
grep -q '^test result: ok. 1 passed' "$copy/log"
