#!/usr/bin/env bash
# Builds the archive and all packages of a release into dist/:
#
#   judge/release/build.sh TARGET
#   judge/release/build.sh x86_64-unknown-linux-musl
#   judge/release/build.sh x86_64-unknown-linux-gnu.2.28
#
# With the oldest version of the C library after the target there is only a wheel with `judge`.
# The target's standard library is rustup's, or as `.ci/cross` gets it. The same sources and compiler give
# the same bytes, wherever the repository and Cargo's downloads are. `JUDGE_NATIVE` may name a judge of this
# version for this machine.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

target=${1:?'usage: judge/release/build.sh TARGET'}
epoch=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH=$epoch
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target/dist}
export CARGO_INCREMENTAL=0
export RUSTFLAGS="--remap-path-prefix=$PWD=judge --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"

.ci/cross "$target" build --profile dist --locked --bin judge
binaries=(judge) packing=()
case $target in
*-linux-gnu.*) packing+=(--only-wheel) ;;
*-linux-*)
    .ci/cross "$target" build --profile dist --locked --package judge-server --package judge-fleet --bins
    binaries+=(judge-server judge-worker)
    ;;
*-windows-*) packing+=(--suffix .exe) ;;
esac
[[ $target != *-gnu.* ]] || target=${target%%.*}
folder=$CARGO_TARGET_DIR/$target/dist
built=$folder/judge
[[ $target != *-windows-* ]] || built+=.exe
native=$built
# Where this machine cannot run the program, one of the same sources writes manual pages and completions.
if ! "$built" --version >/dev/null 2>&1; then
    native=${JUDGE_NATIVE:-$CARGO_TARGET_DIR/debug/judge}
    [[ -n ${JUDGE_NATIVE:-} ]] || env -u CARGO_BUILD_TARGET -u RUSTFLAGS cargo build --locked --bin judge
fi
judge/release/pack.py "$target" dist "${binaries[@]/#/$folder/}" ${packing[@]+"${packing[@]}"} --native "$native"
