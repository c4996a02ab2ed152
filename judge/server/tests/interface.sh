#!/usr/bin/env bash
# Sends thousands of generated requests to the interface for programs, with a token and without, and
# holds every answer against the interface's own description: `judge/server/tests/interface.sh`.
# `JUDGE_SERVER` names the program (a debug build by default), `SCHEMATHESIS` the tester.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../../.."

program=${JUDGE_SERVER:-${CARGO_TARGET_DIR:-target}/debug/judge-server}
tester=${SCHEMATHESIS:-schemathesis}
examples=${EXAMPLES:-40}
place=$(mktemp -d)
server=
end() {
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf -- "$place"
}
trap end EXIT

"$program" --data "$place/data" course new ai --title 'Artificial Play' --suite mahjong >/dev/null
link_for() {
    "$program" --data "$place/data" invite --course ai --role "$1" | grep -o '/join/[^, ]*' | head -n 1
}
link=$(link_for student)
instructors_link=$(link_for instructor)
"$program" --data "$place/data" --listen 127.0.0.1:0 --rate 10000 --lanes 1 \
    >"$place/said" 2>"$place/log" &
server=$!
until [[ -s $place/said ]]; do sleep 0.1; done
base=$(grep -o 'http://[^ ]*' "$place/said" | head -n 1)

# post TOKEN PATH BODY: sends JSON to the interface.
post() {
    curl "${origin[@]}" -H "Authorization: Bearer $1" --json "$3" "$base/api/v1/courses/ai/$2"
}

# joined NAME LINK: accepts the invitation, makes a token and prints it.
joined() {
    local cookie
    cookie=$(curl "${origin[@]}" -o "$place/page" -D - -d "token=${2#/join/}" -d "name=$1" "$base/join" |
        tr -d '\r' | sed -n 's/^set-cookie: \([^;]*\).*/\1/p')
    curl "${origin[@]}" -b "$cookie" -d 'label=test' "$base/me/tokens" |
        sed -n 's/.*<code>\([^<]*\)<.*/\1/p' | head -n 1
}

# A student who submits a bot and enters it in an arena that an instructor has made.
origin=(-H "Origin: $base" -s -S -f)
token=$(joined Ada "$link")
instructor=$(joined Tess "$instructors_link")
[[ -n $token && -n $instructor ]]
curl "${origin[@]}" -o "$place/submission" -H "Authorization: Bearer $token" \
    --data-binary @sample-bots/prebuilt/mahjong-distance.wasm \
    "$base/api/v1/courses/ai/suites/mahjong/submissions?name=bot.wasm"
id=$(sed -n 's/.*"id":"\([^"]*\)".*/\1/p' "$place/submission")
post "$instructor" arenas '{"game": "mahjong", "slug": "tiles", "season": "One"}' >/dev/null
until post "$token" arenas/tiles/bots "{\"name\": \"Near\", \"submission\": \"$id\"}" \
    >"$place/bot" 2>/dev/null; do
    sleep 0.2
done
bot=$(sed -n 's/.*"id":"\([^"]*\)".*/\1/p' "$place/bot")
pair=
until [[ -n $pair ]]; do
    sleep 0.2
    pair=$(curl "${origin[@]}" -H "Authorization: Bearer $token" \
        "$base/api/v1/courses/ai/arenas/tiles/pairs" | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
done

# own METHOD PATH [OPTION...]: a request of Ada's program.
own() { curl "${origin[@]}" -H "Authorization: Bearer $token" -X "$1" "${@:3}" "$base/api/v1/$2"; }
own POST round --json "{\"submission\": \"$id\", \"seat\": 1}" >/dev/null
own POST round/resign >/dev/null
round=$(own GET rounds | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')

# Names that exist, so that more than the refusals is tried.
cat >"$place/schemathesis.toml" <<END
[parameters]
"path.course" = "ai"
"path.suite" = "mahjong"
"path.id" = "$id"
"path.arena" = "tiles"
"path.bot" = "$bot"
"path.pair" = "$pair"
"path.round" = "$round"
END

export SCHEMATHESIS_HOOKS=interface
export PYTHONPATH=$PWD/judge/server/tests PYTHONDONTWRITEBYTECODE=1

# The description allows names that do not exist: a refusal that it describes is a valid answer, too.
code=0
for names in known any; do
    settings=(--config-file "$place/schemathesis.toml")
    [[ $names == known ]] || settings=()
    # It keeps what it found in the folder where it runs.
    (cd -- "$place" && "$tester" "${settings[@]}" run "$base/api/v1/openapi.json" \
        --header "Authorization: Bearer $token" --max-examples "$examples" --seed 1 \
        --phases examples,coverage,fuzzing --checks all --exclude-checks positive_data_acceptance \
        --no-color) >"$place/found" 2>&1 || code=$?
    [[ $code -eq 0 ]] || break
    printf '%s names:\n' "$names"
    tail -n 12 "$place/found"
done
if [[ $code -ne 0 ]]; then
    cat "$place/found"
    exit "$code"
fi
# What went wrong inside would be in the log.
if grep -E 'ERROR|panicked' "$place/log"; then
    exit 1
fi
