# The kit for AssemblyScript, for npm.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154 # variables of packages.sh, text in other languages

tools=(node npm)
package=$dist/judge-bot-assemblyscript-$version.tgz

# ASC, as for `judge build`: `node …/node_modules/assemblyscript/bin/asc.js`.
compiler=${ASC:-}
compiler=${compiler#node }
[[ -f $compiler ]] || tools+=('AssemblyScript (ASC)')

npm_pack() { (cd -- "$stage" && npm pack --silent --pack-destination "$dist" >/dev/null); }

pack() {
    expect_version \
        "$(node -p 'require(process.argv[1]).version' "$sdk/assemblyscript/package.json")" \
        sdk/assemblyscript/package.json
    stage_files "$sdk/assemblyscript" package.json README.md assembly
    npm_pack
    same_twice "$package" npm_pack
}

try_package() {
    printf '{ "private": true, "type": "module" }\n' >package.json
    npm install --silent --offline --no-audit --no-fund --omit=dev "$package"
    [[ -f node_modules/judge-bot-assemblyscript/LICENSE-MIT ]] || fail 'the package has no licence'
    # As `judge build` compiles, but with the kit from the package.
    local flags=(-O3 --stackSize 32768 --maximumMemory 32 --use abort=judgeFailure) template
    for template in "$sdk"/templates/assemblyscript/*.ts; do
        sed 's,"./judge-bot,"./node_modules/judge-bot-assemblyscript/assembly,' "$template" >bot.ts
        node "$compiler" bot.ts --outFile bot.wasm "${flags[@]}"
        [[ $template != */mahjong.ts ]] || judge_accepts bot.wasm
    done
}
