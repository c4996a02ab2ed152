#!/usr/bin/env bash
# Builds the archive and all packages of a release into dist/:
#
#   judge/release/build.sh TARGET
#   judge/release/build.sh x86_64-unknown-linux-musl
#
# The target's standard library is rustup's, or as `.ci/cross` gets it. The same sources and compiler give
# the same bytes, wherever the repository and Cargo's downloads are. `JUDGE_NATIVE` may name a judge of this
# version for this machine.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

target=${1:?'usage: judge/release/build.sh TARGET'}
epoch=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH=$epoch
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target/dist}
export CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_INCREMENTAL=0
export RUSTFLAGS="--remap-path-prefix=$PWD=judge --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"

.ci/cross "$target" build --release --locked --bin judge
binaries=(judge)
if [[ $target == *-linux-* ]]; then
    .ci/cross "$target" build --release --locked --package judge-server --package judge-fleet --bins
    binaries+=(judge-server judge-worker)
fi
suffix=''
[[ $target != *-windows-* ]] || suffix=.exe
built=$CARGO_TARGET_DIR/$target/release/judge$suffix
native=$built
# Where this machine cannot run the program, one of the same sources writes manual pages and completions.
if ! "$built" --version >/dev/null 2>&1; then
    native=${JUDGE_NATIVE:-$CARGO_TARGET_DIR/debug/judge}
    [[ -n ${JUDGE_NATIVE:-} ]] || env -u CARGO_BUILD_TARGET -u RUSTFLAGS cargo build --locked --bin judge
fi
judge/release/pack.py "$target" dist "${binaries[@]/#/$CARGO_TARGET_DIR/$target/release/}" \
    ${suffix:+--suffix "$suffix"} --native "$native"
