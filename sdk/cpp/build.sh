#!/usr/bin/env bash
# Builds a C++ file with a MyBrain or a MyBot to a bot: one WebAssembly module for the judge.
# shellcheck disable=SC2016 # backticks in messages are quotes for people
set -euo pipefail

usage() {
    cat <<'EOF'
usage: build.sh SOURCE.cpp [-o OUT.wasm] [--game GAME] [--name NAME] [--author AUTHOR] [--log]
                [FLAG...]
       build.sh --toolchain

SOURCE.cpp has a `class MyBrain : public Brain` (Mahjong) or a `class MyBot : public Bot` (any game).

  -o OUT.wasm      where the bot goes (default: SOURCE.wasm next to the source)
  --game GAME      what it plays (MyBrain: mahjong), so that the judge need not be told
  --name NAME      name on scoreboards (default: OUT without its ending)
  --author AUTHOR  who wrote it
  --log            say in the bot's log why it died, even if it never prints
  FLAG...          passed to the compiler, for example -O3 or -Wl,-z,stack-size=131072
  --toolchain      only print the name and version of the compiler that would be used

Finds a compiler in $CXX, $WASI_SDK_PATH, clang++, zig; $WASI_SYSROOT names a sysroot for clang++.
EOF
}

# shellcheck source=common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

out='' game='' name='' author='' force_log=false only_toolchain=false flags=()
while (($# > 0)); do
    case $1 in
    -h | --help)
        usage
        exit
        ;;
    -o | --game | --name | --author)
        (($# > 1)) || fail "\`$1\` needs a value"
        case $1 in
        -o) out=$2 ;;
        --game) game=$2 ;;
        --name) name=$2 ;;
        --author) author=$2 ;;
        esac
        shift
        ;;
    --log) force_log=true ;;
    --toolchain) only_toolchain=true ;;
    -*) flags+=("$1") ;;
    *)
        [[ -z $source ]] || fail "more than one source: \`$source\` and \`$1\`" \
            "a bot is one file; it may include others"
        source=$1
        ;;
    esac
    shift
done
# The bytes of a bot depend on its source and the compiler only.
unset CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH CCC_OVERRIDE_OPTIONS
export SOURCE_DATE_EPOCH=0

# A compiler is usable when it builds this; the script does not guess by versions.
cat >"$work/probe.cpp" <<'EOF'
#include <vector>
extern "C" __attribute__((export_name("probe"))) int probe(int n) {
    return static_cast<int>(std::vector<int>(static_cast<unsigned>(n)).size());
}
EOF

# usable COMPILER...: true if it makes reactors for WASI; it is then left in `compiler`. Debian's
# headers are found only under the older of the target's two names.
tried=''
usable() {
    local target
    command -v -- "$1" >/dev/null || return 1
    for target in wasm32-wasip1 wasm32-wasi; do
        compiler=("$@" "--target=$target" -Wno-deprecated)
        [[ -z ${WASI_SYSROOT-} ]] || compiler+=("--sysroot=$WASI_SYSROOT")
        if "${compiler[@]}" -fno-exceptions -mexec-model=reactor "$work/probe.cpp" \
            -o "$work/probe.wasm" 2>"$work/probe.log"; then
            # The stack at the bottom of memory: when it overflows, the module traps instead of
            # overwriting its own data. And a C library that can print a long double, instead of
            # ending the program. zig does so by default, and does not know these flags.
            special=('-Wl,--stack-first' '-Wl,--compress-relocations' -lc-printscan-long-double)
            # clang runs binaryen's optimiser if it is installed, and then gives other bytes. Older
            # versions have no option against it, and run it only with -O.
            ! "${compiler[@]}" --no-wasm-opt --version >/dev/null 2>&1 || special+=(--no-wasm-opt)
            [[ "$*" != *zig* ]] || special=(-O2)
            return
        fi
    done
    tried+="note: \`$*\` does not build for WebAssembly: $(grep -m 1 error "$work/probe.log")"$'\n'
    return 1
}

find_compiler() {
    local version
    if [[ -n ${CXX-} ]]; then
        # shellcheck disable=SC2086 # `zig c++` is two words
        usable $CXX && return
        # Often set for native builds; a warning, but not a reason to stop.
        printf '%s' "$tried" >&2
        tried=''
    fi
    if [[ -n ${WASI_SDK_PATH-} ]]; then usable "$WASI_SDK_PATH/bin/clang++" && return; fi
    for version in -{26..16} ''; do
        usable "clang++$version" && return
    done
    usable zig c++ && return
    if command -v python3 >/dev/null && python3 -c 'import ziglang' 2>/dev/null; then
        usable python3 -m ziglang c++ && return
    fi
    printf '%s' "$tried" >&2
    fail 'no compiler found that builds for WebAssembly with WASI' \
        "install one of these:
  Debian, Ubuntu   clang-22 lld-22 libc++-22-dev-wasm32 libclang-rt-22-dev-wasm32 wasi-libc
  any system       wasi-sdk, with WASI_SDK_PATH set to its folder
  any system       pip install ziglang"
}

# `clang 22.1.8` or `zig-clang 22.1.8`: the bytes of a bot depend on it.
toolchain() {
    local name=clang
    [[ ${compiler[*]} != *zig* ]] || name=zig-clang
    "${compiler[@]}" --version | sed -n "s/.*clang version \([0-9.]*\).*/$name \1/p"
}

if $only_toolchain; then
    find_compiler
    toolchain
    exit
fi
[[ -n $source ]] || {
    usage >&2
    exit 2
}
[[ -f $source ]] || fail "no such file: \`$source\`"
[[ -n $out ]] || out=${source%.*}.wasm
[[ -n $name ]] || name=$(basename -- "$out" .wasm)

find_compiler

# JSON text of a string, quotes included.
json() {
    local text=$1
    [[ $text != *[[:cntrl:]]* ]] || fail "control character in \`$text\`"
    text=${text//\\/\\\\}
    printf '"%s"' "${text//\"/\\\"}"
}

# The module's manifest, in a custom section. Written as bytes, so that no name needs quoting.
manifest() {
    local text byte
    text="{\"name\":$(json "$name")"
    [[ -z $author ]] || text+=",\"author\":$(json "$author")"
    [[ -z $game ]] || text+=",\"games\":[$(json "$game")]"
    text+=',"kit":"cpp 0.1"}'
    printf '.section .custom_section.judge,"",@\n'
    for byte in $(printf '%s' "$text" | od -An -v -tu1); do printf '.byte %s\n' "$byte"; done
}

# The same bytes for any path of the kit, the bot and the temporary folder.
common=(
    -std=c++20 -O2 -ffunction-sections -fdata-sections -fno-threadsafe-statics
    "-ffile-prefix-map=$work=." "-ffile-prefix-map=$kit=kit" -no-canonical-prefixes
    -Wno-unused-command-line-argument
    # The C library hides these behind a promise that emulations will do.
    -D_WASI_EMULATED_{SIGNAL,PROCESS_CLOCKS,MMAN,GETPID}
)
student=(
    "${lenient_flags[@]}"
    -fno-strict-return -UNDEBUG
    -D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE
    -D_LIBCPP_ENABLE_CXX17_REMOVED_{AUTO_PTR,BINDERS,RANDOM_SHUFFLE,UNARY_BINARY_FUNCTION}
    -D_LIBCPP_ENABLE_CXX20_REMOVED_{BINDER_TYPEDEFS,NEGATORS,TYPE_TRAITS}
)
# Without type information a module is some kilobytes smaller; a bot that needs it gets it in the
# later attempts of compile_source.
# shellcheck disable=SC2034 # used in common.sh
lean_flags=(-fno-rtti)

stage_source "$(basename -- "$source")"
find_form "${compiler[@]}" "${common[@]}" "${student[@]}" "${flags[@]}"
if [[ $form == brain ]]; then
    [[ -z $game || $game == mahjong ]] ||
        fail "\`$source\` cannot play \`$game\`: a \`MyBrain\` plays \`mahjong\`" \
            'for other games write `class MyBot : public Bot`'
    game=mahjong
fi
manifest >"$work/manifest.s"

compile_source "$work/entry.o" "${compiler[@]}" "${common[@]}" "${student[@]}" "${form_flags[@]}" \
    "${flags[@]}"
# compile_part NAME [FLAG...]: one of the kit's own sources.
compile_part() {
    local part=$1
    shift
    "${compiler[@]}" "${common[@]}" -fno-rtti "${form_flags[@]}" "$@" -c "$kit/src/$part.cpp" \
        -o "$work/$part.o"
}
"${compiler[@]}" -c "$work/manifest.s" -o "$work/manifest.o"
for part in bot failure wasi log; do compile_part "$part"; done

link=(
    -mexec-model=reactor
    "$work/entry.o" "$work/manifest.o" "$work/bot.o" "$work/failure.o" "$work/wasi.o" "$work/log.o"
    -lwasi-emulated-signal -lwasi-emulated-process-clocks -lwasi-emulated-mman
    -lwasi-emulated-getpid
    "${special[@]}" '-Wl,-z,stack-size=65536' '-Wl,--max-memory=2097152' '-Wl,--strip-all'
)
link_bot() {
    if "${compiler[@]}" "${link[@]}" "${flags[@]}" -o "$work/bot.wasm" 2>"$work/link.log"; then
        return
    fi
    cat -- "$work/link.log" >&2
    if grep -q 'memory too small\|maximum memory' "$work/link.log"; then
        fail "\`$source\` does not fit into 2 MiB of memory" "make its global arrays smaller"
    fi
    fail "\`$source\` does not link"
}
link_bot
# A program that prints gets the log from the start, for the last message of a bot that fails.
# The import is spelled `judge`, the length of the next name, `log`.
if $force_log || LC_ALL=C grep -qa 'judge.log' "$work/bot.wasm"; then
    compile_part log -DJUDGE_KIT_OFFER_LOG
    ! $force_log || compile_part failure -DJUDGE_KIT_TELLS_WHAT
    link_bot
fi
cat -- "$work/link.log" >&2
mkdir -p -- "$(dirname -- "$out")"
# Not cp: the linker's permissions are for a program, and a module cannot be started by itself.
cat -- "$work/bot.wasm" >"$out"
printf 'built `%s`: %s bytes\n' "$out" "$(wc -c <"$out" | tr -d ' ')"
