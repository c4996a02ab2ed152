# Shared by packages.sh and the files of the kits: messages, versions, staging and the judge.
# shellcheck shell=bash disable=SC2154 # variables of packages.sh

repository=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
# The workspace's version is that of all packages.
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' "$repository/Cargo.toml")
# The time of every file in a package, so that the same sources give the same bytes.
export SOURCE_DATE_EPOCH=499162500

# fail MESSAGE: ends the script.
fail() {
    printf 'error: %s\n' "$1" >&2
    exit 1
}

# missing_tools TOOL...: prints the tools that are not installed, and fails if there are any.
missing_tools() {
    local tool missing=()
    for tool; do
        command -v -- "$tool" >/dev/null || missing+=("$tool")
    done
    printf '%s' "${missing[*]}"
    ((${#missing[@]} == 0))
}

# expect_version FOUND FILE
expect_version() {
    [[ $1 == "$version" ]] || fail "$2 has version \`$1\`, the workspace \`$version\`"
}

# stage_files FOLDER PATH...: copies these paths of FOLDER, and the licences, to $stage.
stage_files() {
    local folder=$1
    shift
    (cd -- "$folder" && tar --create --exclude='__pycache__' "$@") | tar --extract --directory "$stage"
    cp -- "$repository"/LICENSE-{APACHE,MIT} "$stage"
}

# same_twice FILE COMMAND...: the command writes FILE a second time with the same bytes.
same_twice() {
    local file=$1 first
    shift
    first=$(sha256sum <"$file")
    rm -- "$file"
    "$@"
    [[ $(sha256sum <"$file") == "$first" ]] || fail "$file: built twice, with different bytes"
}

# judge_accepts MODULE [OPTION...]: the judge, if there is one, plays a round with the module.
judge_accepts() {
    [[ -s $1 ]] || fail "$1: no module"
    [[ -n ${JUDGE_BINARY-} ]] || return 0
    "$JUDGE_BINARY" check --game mahjong "$@" >check.log 2>&1 || {
        cat check.log >&2
        fail "$1: the judge refuses it"
    }
}

# play_rounds COMMAND...: a program on standard input and output plays against the judge.
play_rounds() {
    [[ -n ${JUDGE_BINARY-} ]] || return 0
    python3 "$sdk/golden/play.py" "$JUDGE_BINARY" mahjong 1 "$@"
}

# answers COMMAND...: the program answers the first question of a round. Needs no judge.
answers() {
    local tile
    tile=$({
        grep --only-matching --max-count 1 'game mahjong seat 1 .*' "$sdk/golden/mahjong.txt"
        printf 'draw %s\n' 1b 1b 2b 3b 4b 5b 6b 7b 8b 9b 1c 2c 3c 4c
        printf 'discard?\n'
    } | "$@" 2>player.log | head -n 1)
    [[ $tile == [1-9][bcd] ]] || {
        cat player.log >&2
        fail "\`$*\` answered \`$tile\`"
    }
}
