#!/usr/bin/env bash
# Packs a built judge, installs each package into an empty environment, and grades the sample bot with it:
#
#   judge/release/try.sh target/release/judge
#
# Fails unless every package gives the digest of that judge. Prints size, seconds to install, and seconds
# to the first verdict.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

binary=$(realpath -- "${1:?'usage: judge/release/try.sh BINARY'}")
bot=$PWD/sample-bots/prebuilt/mahjong-distance.wasm
target=$(rustc --version --verbose | sed -n 's/^host: //p')
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

# graded JUDGE: the digest of the sample bot's result, without anything kept from earlier runs.
graded() {
    local code=0 text
    text=$(cd -- "$work" && env -i HOME="$work/home" PATH="/usr/bin:/bin${node_folder:+:$node_folder}" "$1" grade "$bot" 2>"$work/log") ||
        code=$?
    # The sample bot passes a part of the suite.
    if [[ $code -ne 1 ]]; then
        cat -- "$work/log" >&2
        return 1
    fi
    sed -n 's/^ *digest //p' <<<"$text"
}

# tried NAME FILE JUDGE INSTALLING: a row of the table.
tried() {
    local name=$1 file=$2 judge=$3 begin installed digest
    shift 3
    rm -rf -- "${work:?}/home"
    begin=$(date +%s%N)
    "$@"
    installed=$(date +%s%N)
    digest=$(graded "$judge")
    if [[ $digest != "$expected" ]]; then
        echo "the $name gives digest \`$digest\`, and the build \`$expected\`" >&2
        exit 1
    fi
    awk -v name="$name" -v size="$(stat -c %s -- "$file")" -v begin="$begin" -v installed="$installed" \
        -v end="$(date +%s%N)" 'BEGIN { printf "| %s | %.1f MB | %.1f s | %.1f s |\n", name, size / 1e6,
            (installed - begin) / 1e9, (end - begin) / 1e9 }'
}

unpack() { mkdir -- "$work/archive" && tar -xzf "$archive" -C "$work/archive" --strip-components 1; }

# Without the registry npm cannot find the packages of other systems, which are optional.
install_npm() {
    (cd -- "$work/node" && npm install --silent --no-audit --no-fund --offline --omit=optional "$one" "$all" &&
        test -x node_modules/.bin/judge)
}

# The archive's licences and bill name the parts that are not crates.
name_parts() {
    local part
    for part in MicroPython QuickJS-ng wasi-libc musl 'Rust standard library' @codemirror/view; do
        grep --quiet "^$part" "$work/archive/THIRD-PARTY-LICENSES" &&
            grep --quiet "\"name\": \"$part\"" "$work/archive/judge.cdx.json" && continue
        echo "the archive does not name \`$part\`" >&2
        return 1
    done
}

install_wheel() { "$work/venv/bin/pip" install --quiet --no-index "$wheel"; }

# Into an empty root, without a system around it.
install_debian() {
    mkdir -p -- "$work/root/var/lib/dpkg/"{info,updates}
    touch -- "$work/root/var/lib/dpkg/status"
    if [[ $EUID -eq 0 ]]; then
        dpkg --root="$work/root" --force-depends --install "$deb" >"$work/log" 2>&1 ||
            { cat -- "$work/log" >&2; return 1; }
    else
        dpkg --extract "$deb" "$work/root"
    fi
    gzip --test -- "$work/root/usr/share/man/man1/judge-grade.1.gz"
    test -s "$work/root/usr/share/bash-completion/completions/judge"
}

strip -o "$work/judge" "$binary"
node_folder=''
for folder in one other; do judge/release/pack.py "$target" "$work/$folder" "$work/judge"; done
diff --recursive "$work/one" "$work/other"
(cd -- "$work/one" && sha256sum --check --quiet SHA256SUMS)
archive=$(compgen -G "$work/one/*.tar.gz")
wheel=$(compgen -G "$work/one/*.whl")
one=$(compgen -G "$work/one/judge-referee-*-*-*.tgz")
deb=$(compgen -G "$work/one/*.deb" || true)
all=$(compgen -G "$work/one/judge-referee-[0-9]*.tgz")

python3 -m venv "$work/venv"
mkdir -- "$work/node"
expected=$(graded "$binary")
[[ -n $expected ]]
printf '| package | size | installed after | verdict after |\n|---|--:|--:|--:|\n'
tried archive "$archive" "$work/archive/judge" unpack
name_parts
if [[ -n $deb ]] && command -v dpkg >/dev/null; then
    tried 'Debian package' "$deb" "$work/root/usr/bin/judge" install_debian
else
    echo 'dpkg is not installed here: the Debian package is not tried' >&2
fi
tried wheel "$wheel" "$work/venv/bin/judge" install_wheel
if command -v npm >/dev/null; then
    node_folder=$(dirname -- "$(command -v node)")
    tried npm "$one" "$work/node/node_modules/.bin/judge" install_npm
else
    echo 'npm is not installed here: its packages are not tried' >&2
fi
