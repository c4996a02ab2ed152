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
link=$("$program" --data "$place/data" invite --course ai --role student | grep -o '/join/[^, ]*' | head -n 1)
"$program" --data "$place/data" --listen 127.0.0.1:0 --rate 10000 --lanes 1 \
    >"$place/said" 2>"$place/log" &
server=$!
until [[ -s $place/said ]]; do sleep 0.1; done
base=$(grep -o 'http://[^ ]*' "$place/said" | head -n 1)

# Somebody who accepts, hands in a bot and makes a token.
origin=(-H "Origin: $base" -s -S -f)
cookie=$(curl "${origin[@]}" -o "$place/page" -D - -d "token=${link#/join/}" -d 'name=Ada' "$base/join" |
    tr -d '\r' | sed -n 's/^set-cookie: \([^;]*\).*/\1/p')
token=$(curl "${origin[@]}" -b "$cookie" -d 'label=test' "$base/me/tokens" |
    sed -n 's/.*<code>\([^<]*\)<.*/\1/p' | head -n 1)
[[ -n $token ]]
curl "${origin[@]}" -o "$place/submission" -H "Authorization: Bearer $token" \
    --data-binary @sample-bots/prebuilt/mahjong-distance.wasm \
    "$base/api/v1/courses/ai/suites/mahjong/submissions?name=bot.wasm"
id=$(sed -n 's/.*"id":"\([^"]*\)".*/\1/p' "$place/submission")

# Names that exist, so that more than the refusals is tried.
cat >"$place/schemathesis.toml" <<END
[parameters]
"path.course" = "ai"
"path.suite" = "mahjong"
"path.id" = "$id"
END

export SCHEMATHESIS_HOOKS=interface
export PYTHONPATH=judge/server/tests PYTHONDONTWRITEBYTECODE=1

# Not every name that the description allows is somebody's: a refusal by the rules is an answer, too.
code=0
for names in known any; do
    settings=(--config-file "$place/schemathesis.toml")
    [[ $names == known ]] || settings=()
    "$tester" "${settings[@]}" run "$base/api/v1/openapi.json" \
        --header "Authorization: Bearer $token" --max-examples "$examples" --seed 1 \
        --phases examples,coverage,fuzzing --checks all --exclude-checks positive_data_acceptance \
        --no-color >"$place/found" 2>&1 || code=$?
    [[ $code -eq 0 ]] || break
done
tail -n 25 "$place/found"
if [[ $code -ne 0 ]]; then
    cat "$place/found"
    exit "$code"
fi
# What went wrong inside would be in the log.
if grep -E 'ERROR|panicked' "$place/log"; then
    exit 1
fi
