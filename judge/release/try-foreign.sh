#!/usr/bin/env bash
# Unpacks an archive for another system or processor into a folder with spaces and letters beyond ASCII in
# its name, and grades the sample bot there, under Wine or QEMU:
#
#   judge/release/try-foreign.sh dist/judge-0.1.0-x86_64-pc-windows-gnu.zip target/dist/debug/judge
#
# Fails unless the digest is that of the second file, a judge for this machine. Prints size, seconds to
# unpack, and seconds to the first verdict. On Debian: apt install wine, or qemu-user-static. The judge starts
# itself again, so the kernel has to know QEMU (binfmt_misc), as after the installation on a usual system.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

archive=$(realpath -- "${1:?'usage: judge/release/try-foreign.sh ARCHIVE JUDGE'}")
native=$(realpath -- "${2:?'usage: judge/release/try-foreign.sh ARCHIVE JUDGE'}")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
folder="$work/two words ü 课程"
mkdir -- "$folder"
cp -- sample-bots/prebuilt/mahjong-distance.wasm "$folder/bot ö.wasm"
export HOME=$work LANG=C.UTF-8

# graded COMMAND…: the digest. The sample bot passes a part of the suite.
graded() {
    local code=0 text
    text=$(cd -- "$folder" && "$@" grade 'bot ö.wasm' 2>"$work/log") || code=$?
    if [[ $code -ne 1 ]]; then
        cat -- "$work/log" >&2
        return 1
    fi
    sed -n 's/^ *digest \([0-9a-f]*\).*/\1/p' <<<"$text"
}

# Wine before version 9 has no `bcryptprimitives.dll`, from which Rust's library takes random numbers.
complete_wine() {
    [[ ! -e $WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll ]] || return 0
    cat >"$work/random.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return SystemFunction036(data, size); }
C
    x86_64-w64-mingw32-gcc -shared -o "$folder/bcryptprimitives.dll" "$work/random.c" -ladvapi32
}

begin=$(date +%s%N)
case $archive in
*.zip)
    python3 -m zipfile -e "$archive" "$work/unpacked"
    mv -- "$work"/unpacked/*/* "$folder"
    command=(wine ./judge.exe)
    ;;
*)
    tar -xzf "$archive" -C "$folder" --strip-components 1
    processor=${archive%-unknown-linux-*}
    command=("qemu-${processor##*-}-static" "$folder/judge")
    ;;
esac
unpacked=$(date +%s%N)
if [[ $archive == *.zip ]]; then
    export WINEPREFIX=$work/wine WINEDEBUG=-all
    wine wineboot --init >/dev/null 2>&1
    complete_wine
fi
started=$(date +%s%N)
digest=$(graded "${command[@]}")
ended=$(date +%s%N)
expected=$(graded "$native")
if [[ -z $digest || $digest != "$expected" ]]; then
    echo "\`$(basename -- "$archive")\` gives digest \`$digest\`, and \`$native\` \`$expected\`" >&2
    exit 1
fi
awk -v name="$(basename -- "$archive")" -v size="$(stat -c %s -- "$archive")" -v unpack=$((unpacked - begin)) \
    -v verdict=$((ended - started)) \
    'BEGIN { printf "| %s | %.1f MB | %.1f s | %.1f s |\n", name, size / 1e6, unpack / 1e9, verdict / 1e9 }'
