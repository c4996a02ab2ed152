#!/usr/bin/env bash
# Builds the sample bots to prebuilt/, or checks that its files match their sources.
# shellcheck disable=SC2016 # backticks in messages are quotes for people
set -euo pipefail

usage() {
    cat <<'EOF'
usage: build.sh [--check] [NAME...]

Builds each named bot, or all of them, to prebuilt/NAME.wasm, and notes the version of the compiler
in prebuilt/NAME.toolchain. With --check builds to a temporary folder and compares.

exit code  0  done; with --check: all bytes are equal
           1  a bot does not build; with --check: the bytes of one differ
           2  wrong arguments
           4  with --check: nothing differs, but a bot could not be compared, because the compiler
              here is not the one that built it
EOF
}

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
repository=$(dirname -- "$here")
prebuilt=$here/prebuilt

# field FILE KEY: the text of a line `KEY = "text"`.
field() { sed -n "s/^$2 = \"\(.*\)\"\$/\1/p" -- "$1"; }

# The local compiler of a language: `clang 22.1.8`.
toolchain_here() {
    case $1 in
    c) clang_c --version | sed -n 's/.*clang version \([0-9.]*\).*/clang \1/p' ;;
    cpp) "$repository/sdk/cpp/build.sh" --toolchain ;;
    rust) rustc --version | cut -d ' ' -f 1,2 ;;
    esac
}

build_cpp() {
    local folder=$1 out=$2 bot=$1/bot.toml
    "$repository/sdk/cpp/build.sh" "$folder/$(field "$bot" source)" -o "$out" \
        --game "$(field "$bot" game)" \
        --name "$(basename -- "$folder")" --author "$(field "$bot" author)"
}

# The C compiler: clang with Debian's wasi-libc, under its versioned name where there is one.
clang_c() {
    local clang
    clang=$(command -v clang-22 || command -v clang) || {
        printf 'error: no `clang`\n\nhint: see `sdk/c/README.md` for what to install\n' >&2
        return 1
    }
    # With a `wasm-opt` in the path clang would run it, and give other bytes.
    "$clang" --no-wasm-opt "$@"
}

# sign FOLDER MODULE: adds the manifest of a program in a section at its end, as the kits do for
# their bots.
sign() {
    local bot=$1/bot.toml text size
    text=$(printf '{"name":"%s","author":"%s","games":["%s"]}' "$(basename -- "$1")" \
        "$(field "$bot" author)" "$(field "$bot" game)")
    size=$((6 + ${#text}))
    # Section 0, its size in two groups of seven bits, its name behind a length.
    {
        printf '\0'
        printf '%b' "$(printf '\\x%02x\\x%02x' $((size % 128 + 128)) $((size / 128)))"
        printf '\5judge%s' "$text"
    } >>"$2"
}

# A program in plain C: reads lines, prints lines. (The target's newer name does not find Debian's
# headers.)
build_c() {
    local folder=$1 out=$2
    clang_c --target=wasm32-wasi -Wno-deprecated -std=c11 -Wall -Wextra -O2 \
        -Wl,-z,stack-size=65536 -Wl,--max-memory=2097152 -Wl,--stack-first -Wl,--strip-all \
        "$folder/$(field "$folder/bot.toml" source)" -o "$out" || return 1
    # The linker marks it as executable, which it is not on this machine.
    chmod a-x -- "$out"
    sign "$folder" "$out"
}

# A crate in the bot's folder: a library that is a cdylib, or a program. Small, and the same bytes
# for any path of the repository, cargo's downloads and the compiler. $target keeps cargo's output.
build_rust() {
    local folder=$1 out=$2 flags name module hash home sources platform=wasm32-unknown-unknown
    if [[ -f $folder/src/main.rs ]]; then platform=wasm32-wasip1; fi
    # Downloads first: cargo names their folders after their origin.
    (cd -- "$folder" && cargo fetch --quiet --target "$platform") || return 1
    home=${CARGO_HOME:-$HOME/.cargo}
    hash=$(rustc --version --verbose | sed -n 's/^commit-hash: //p')
    flags=(
        -C link-arg=-zstack-size=65536
        -C link-arg=--max-memory=2097152
        -C link-arg=--stack-first
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
        cd -- "$folder"
        cargo build --release --quiet --target "$platform" --target-dir "$target"
    ) || return 1
    # Named as cargo names it: a library by its identifier, a program by its package.
    name=$(basename -- "$folder")
    for module in "$target/$platform/release/${name//-/_}.wasm" "$target/$platform/release/$name.wasm"; do
        if [[ -f $module ]]; then
            cat -- "$module" >"$out"
            if [[ $platform == wasm32-wasip1 ]]; then sign "$folder" "$out"; fi
            return
        fi
    done
    printf 'error: `%s` does not give a module\n\nhint: its library needs %s, or it is a %s\n' "$folder" \
        '`crate-type = ["cdylib"]`' 'program: `src/main.rs`' >&2
    return 1
}

# build NAME OUT
build() {
    local folder=$here/$1 out=$2 language
    language=$(field "$folder/bot.toml" language)
    case $language in
    c) build_c "$folder" "$out" ;;
    cpp) build_cpp "$folder" "$out" ;;
    rust) build_rust "$folder" "$out" ;;
    *)
        printf 'error: `%s` has the unknown language `%s`\n' "$1" "$language" >&2
        return 1
        ;;
    esac
}

# note_toolchain NAME: records the compiler that has just built the bot.
note_toolchain() {
    toolchain_here "$(field "$here/$1/bot.toml" language)" >"$prebuilt/$1.toolchain"
}

# check NAME: 0 equal, 1 not, 4 another compiler.
check() {
    local name=$1 here_version recorded
    here_version=$(toolchain_here "$(field "$here/$name/bot.toml" language)") || here_version=none
    recorded=$(cat -- "$prebuilt/$name.toolchain" 2>/dev/null || true)
    if [[ $here_version != "$recorded" ]]; then
        printf 'not compared `%s`: built by `%s`, here is `%s`\n' "$name" "$recorded" "$here_version"
        return 4
    fi
    build "$name" "$work/$name.wasm" >"$work/log" 2>&1 || {
        cat -- "$work/log"
        return 1
    }
    if ! cmp -- "$work/$name.wasm" "$prebuilt/$name.wasm"; then
        printf 'differs `%s`: its source does not give `prebuilt/%s.wasm`\n' "$name" "$name"
        return 1
    fi
    printf 'equal `%s`\n' "$name"
}

checking=false names=()
for argument in "$@"; do
    case $argument in
    -h | --help)
        usage
        exit
        ;;
    --check) checking=true ;;
    -*)
        usage >&2
        exit 2
        ;;
    *)
        if [[ ! -f $here/$argument/bot.toml ]]; then
            printf 'error: no sample bot `%s`\n' "$argument" >&2
            exit 2
        fi
        names+=("$argument")
        ;;
    esac
done
if [[ ${#names[@]} -eq 0 ]]; then
    for bot in "$here"/*/bot.toml; do names+=("$(basename -- "$(dirname -- "$bot")")"); done
fi

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
mkdir -p "$prebuilt"
code=0
for name in "${names[@]}"; do
    if $checking; then
        target=$work/target
        result=0
        check "$name" || result=$?
        # A difference outweighs a comparison that was skipped.
        [[ $result -eq 0 || $code -eq 1 ]] || code=$result
    else
        target=$repository/target/sample-bots
        build "$name" "$prebuilt/$name.wasm"
        note_toolchain "$name"
    fi
done
exit "$code"
