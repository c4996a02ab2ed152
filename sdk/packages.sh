#!/usr/bin/env bash
# Builds each kit's package, installs that file into an empty project, and builds a Mahjong bot there.
set -euo pipefail

usage() {
    cat <<'USAGE'
usage: packages.sh [--out DIR] [KIT...]

Kits: assemblyscript cmake go header javascript python rust zig (default: all of them)

  --out DIR   keep the package files in DIR

Variables:
  JUDGE_BINARY      a judge, which then plays a round with each bot
  JUDGE_GO          the Go compiler (default: `go`)
  JUDGE_GO_MODULE   path of the Go module (default: judge.example/judgebot, which nobody can publish)
  CXX               the C++ compiler for WebAssembly (default: `clang++-22`)
  ASC               the AssemblyScript compiler: `node …/node_modules/assemblyscript/bin/asc.js`
  JUDGE_PACKAGES_PYTHON   a Python with the modules build, mypy and setuptools (default: `python3`)
  CI=true           a missing tool is a failure
USAGE
}

sdk=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=packages/common.sh
source "$sdk/packages/common.sh"

out='' kits=()
while (($# > 0)); do
    case $1 in
    -h | --help)
        usage
        exit
        ;;
    --out)
        (($# > 1)) || fail '--out needs a folder'
        out=$2
        shift
        ;;
    -*) fail "unknown option: $1" ;;
    *)
        [[ $1 != common && -f $sdk/packages/$1.sh ]] || fail "no such kit: $1"
        kits+=("$1")
        ;;
    esac
    shift
done
((${#kits[@]} > 0)) || kits=(assemblyscript cmake go header javascript python rust zig)

work=$(mktemp -d)
# The Go compiler writes its module cache without write permission.
trap 'chmod -R u+w -- "$work"; rm -rf -- "$work"' EXIT
dist=${out:-$work/dist}
mkdir -p -- "$dist"
dist=$(cd -- "$dist" && pwd)

# run_kit KIT: in a subshell, because each file defines the same names: `tools` (the programs it
# needs), `pack` (builds the package) and `try_package` (uses it in the empty folder `project`).
run_kit() (
    kit=$1 stage=$work/$1/stage project=$work/$1/project tools=()
    mkdir -p "$stage" "$project"
    # shellcheck disable=SC1090 # one file for each kit
    source "$sdk/packages/$kit.sh"
    if ! absent=$(missing_tools "${tools[@]}"); then
        [[ ${CI-} != true ]] || fail "$kit: missing: $absent"
        printf '%s: skipped, missing: %s\n' "$kit" "$absent"
        exit
    fi
    pack
    cd -- "$project"
    try_package
    printf '%s: ok\n' "$kit"
)

for kit in "${kits[@]}"; do run_kit "$kit"; done
