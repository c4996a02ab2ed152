# The kit for JavaScript, for npm.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154 # variables of packages.sh, text in other languages

tools=(node npm python3)
package=$dist/judge-bot-$version.tgz

npm_pack() { (cd -- "$stage" && npm pack --silent --pack-destination "$dist" >/dev/null); }

pack() {
    expect_version "$(node -p 'require(process.argv[1]).version' "$sdk/javascript/package.json")" \
        sdk/javascript/package.json
    stage_files "$sdk/javascript" package.json README.md src types
    npm_pack
    same_twice "$package" npm_pack
}

try_package() {
    printf '{ "private": true, "type": "module" }\n' >package.json
    npm install --silent --offline --no-audit --no-fund "$package"
    cp -- "$sdk/templates/javascript/mahjong.js" bot.js
    node --input-type=module --eval "$every_export"
    [[ -f node_modules/judge-bot/LICENSE-MIT ]] || fail 'the package has no licence'
    answers node bot.js
    play_rounds node bot.js
    [[ -z ${JUDGE_BINARY-} ]] || "$JUDGE_BINARY" build bot.js -o bot.wasm >/dev/null
    [[ -z ${JUDGE_BINARY-} ]] || judge_accepts bot.wasm
}

# Every entry of the package can be imported, and has types.
every_export='
import { existsSync, readFileSync } from "node:fs";
const root = "node_modules/judge-bot/";
for (const [name, files] of Object.entries(JSON.parse(readFileSync(root + "package.json")).exports)) {
    await import(name.replace(".", "judge-bot"));
    if (!existsSync(root + files.types)) throw new Error(`no types: ${files.types}`);
}'
