#!/usr/bin/env bash
# Builds the modules of the pages to prebuilt/, or checks that what stands there is what the sources
# give.
# shellcheck disable=SC2016 # backticks in messages are quotes for people
set -euo pipefail

usage() {
    cat <<'EOT'
usage: build.sh [--check]

Builds prebuilt/judge-browser.wasm (playing, checking replays) and prebuilt/judge-grade.wasm
(grading), and notes the version of the compiler beside them. With --check builds to a temporary
folder and compares. Also bundles the editor (prebuilt/codemirror.js) from editor/. Needs `npm` and
the target wasm32-unknown-unknown:
`rustup target add wasm32-unknown-unknown`.

exit code  0  done; with --check: all bytes are equal
           1  it does not build; with --check: the bytes differ
           2  wrong arguments
           4  with --check: not compared, because the compiler here is not the one that built it
EOT
}

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
repository=$(dirname -- "$(dirname -- "$here")")
toolchain=$here/prebuilt/judge-browser.toolchain
platform=wasm32-unknown-unknown

toolchain_here() { rustc --version | cut -d ' ' -f 1,2; }

# build OUT TARGET FLAG…: small, and the same bytes wherever the repository, cargo's downloads and the
# compiler lie. The flags are cargo's. Panics are not caught, so the page gets a new module after one.
build() {
    local out=$1 target=$2 flags hash home sources
    shift 2
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
        export CARGO_PROFILE_RELEASE_LTO=fat \
            CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 CARGO_PROFILE_RELEASE_PANIC=abort \
            CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_PROFILE_RELEASE_DEBUG=false \
            CARGO_PROFILE_RELEASE_INCREMENTAL=false
        cd -- "$here"
        cargo build --release --quiet --locked --lib --target "$platform" \
            --target-dir "$target" "$@"
    ) || return 1
    cat -- "$target/$platform/release/judge_browser.wasm" >"$out"
}

# The rules and the opponents decide how long a grading takes, all else how long the page loads.
grade=(
    --config 'profile.release.opt-level="s"'
    --config 'profile.release.package.judge-games.opt-level=3'
    --config 'profile.release.package.judge-core.opt-level=3'
    --config 'profile.release.package.judge-referee.opt-level=3'
)

# build_all FOLDER TARGET
build_all() {
    build "$1/judge-grade.wasm" "$2" "${grade[@]}" || return 1
    build "$1/judge-browser.wasm" "$2" --no-default-features
}

# build_editor FOLDER: the editor of the page as one file, with the names of the kits, and the licences of
# its parts. The packages are those of editor/package-lock.json.
build_editor() {
    local work part
    work=$(mktemp -d)
    cp -- "$here"/editor/{package.json,package-lock.json,source.js,completions.js} "$work"
    node "$here/editor/kits.mjs" "$repository/sdk" >"$work/kits.json"
    (
        cd -- "$work"
        npm ci --ignore-scripts --no-audit --no-fund --silent
        node_modules/.bin/esbuild source.js --bundle --minify --format=esm --target=es2022 \
            --charset=utf8 --legal-comments=none --log-level=warning --outfile=codemirror.js
        for part in node_modules/@codemirror/* node_modules/@lezer/* node_modules/@marijn/* \
            node_modules/{crelt,style-mod,w3c-keyname}; do
            printf '%s\n\n' "${part#node_modules/}"
            cat -- "$part/LICENSE"
            printf '\n'
        done >codemirror.licences.txt
    ) || return 1
    cp -- "$work"/codemirror.{js,licences.txt} "$1"
    rm -rf -- "$work"
}

case ${1-} in
'')
    mkdir -p -- "$here/prebuilt"
    build_editor "$here/prebuilt"
    build_all "$here/prebuilt" "$repository/target/browser"
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
    build_editor "$work"
    build_all "$work" "$work/target"
    for name in codemirror.js codemirror.licences.txt judge-browser.wasm judge-grade.wasm; do
        if ! cmp -- "$work/$name" "$here/prebuilt/$name"; then
            printf 'differs: the sources do not give `prebuilt/%s`\n' "$name"
            exit 1
        fi
        printf 'equal `%s`\n' "$name"
    done
    ;;
-h | --help) usage ;;
*)
    usage >&2
    exit 2
    ;;
esac
