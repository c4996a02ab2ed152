#!/usr/bin/env bash
# Builds the module of the pages to prebuilt/, or checks that what stands there is what its sources
# give.
set -euo pipefail

usage() {
    cat <<'EOT'
usage: build.sh [--check]

Builds prebuilt/judge-browser.wasm and notes the version of the compiler beside it. With --check
builds to a temporary folder and compares. Needs the target wasm32-unknown-unknown:
`rustup target add wasm32-unknown-unknown`.

exit code  0  done; with --check: all bytes are equal
           1  it does not build; with --check: the bytes differ
           2  wrong arguments
           4  with --check: not compared, because the compiler here is not the one that built it
EOT
}

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
repository=$(dirname -- "$(dirname -- "$here")")
module=$here/prebuilt/judge-browser.wasm
toolchain=$here/prebuilt/judge-browser.toolchain
platform=wasm32-unknown-unknown

toolchain_here() { rustc --version | cut -d ' ' -f 1,2; }

# build OUT TARGET: small, and the same bytes wherever the repository, cargo's downloads and the
# compiler lie. Panics are not caught, so the page gets a new module after one.
build() {
    local out=$1 target=$2 flags hash home sources
    (cd -- "$here" && cargo fetch --quiet --locked --target "$platform") || return 1
    home=${CARGO_HOME:-$HOME/.cargo}
    hash=$(rustc --version --verbose | sed -n 's/^commit-hash: //p')
    flags=(
        "--remap-path-prefix=$repository=judge"
        "--remap-path-prefix=$home=cargo"
        "--remap-path-prefix=$(rustc --print sysroot)/lib/rustlib/src/rust=/rustc/$hash"
    )
    for sources in "$home"/registry/src/*; do flags+=("--remap-path-prefix=$sources=crates"); done
    (
        IFS=$'\x1f'
        export CARGO_ENCODED_RUSTFLAGS="${flags[*]}"
        export CARGO_PROFILE_RELEASE_OPT_LEVEL=3 CARGO_PROFILE_RELEASE_LTO=fat \
            CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 CARGO_PROFILE_RELEASE_PANIC=abort \
            CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_PROFILE_RELEASE_DEBUG=false \
            CARGO_PROFILE_RELEASE_INCREMENTAL=false
        cd -- "$here"
        cargo build --release --quiet --locked --lib --target "$platform" --target-dir "$target"
    ) || return 1
    cat -- "$target/$platform/release/judge_browser.wasm" >"$out"
}

case ${1-} in
'')
    mkdir -p -- "$here/prebuilt"
    build "$module" "$repository/target/browser"
    toolchain_here >"$toolchain"
    ;;
--check)
    recorded=$(cat -- "$toolchain" 2>/dev/null || true)
    if [[ $(toolchain_here) != "$recorded" ]]; then
        printf 'not compared: built by `%s`, here is `%s`\n' "$recorded" "$(toolchain_here)"
        exit 4
    fi
    work=$(mktemp -d)
    trap 'rm -rf -- "$work"' EXIT
    build "$work/judge-browser.wasm" "$work/target"
    if ! cmp -- "$work/judge-browser.wasm" "$module"; then
        printf 'differs: the sources do not give `prebuilt/judge-browser.wasm`\n'
        exit 1
    fi
    printf 'equal `judge-browser`\n'
    ;;
-h | --help) usage ;;
*)
    usage >&2
    exit 2
    ;;
esac
