# The kit for Go, as a module of a proxy in the file system.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of packages.sh

go=${JUDGE_GO:-go}
tools=("$go" python3)
module=${JUDGE_GO_MODULE:-judge.example/judgebot}
proxy=$dist/go-proxy

pack() {
    # A module whose path has no domain cannot be downloaded, so the package gets another path than
    # the copy in a project of `judge new`. The nested module of the example is not part of it.
    stage_files "$sdk/go" --exclude=./example .
    find "$stage" -name '*.go' -exec sed -i "s,\"judgebot\([\"/]\),\"$module\1," {} +
    sed -i "s,^module judgebot\$,module $module," "$stage/go.mod"
    python3 "$sdk/packages/go-proxy.py" "$stage" "$module" "v$version" "$proxy"
    same_twice "$proxy/$module/@v/v$version.zip" \
        python3 "$sdk/packages/go-proxy.py" "$stage" "$module" "v$version" "$proxy"
}

try_package() {
    export GOPROXY=file://$proxy GOSUMDB=off GOFLAGS=-mod=mod GOTOOLCHAIN=local GOWORK=off
    export GOMODCACHE=$work/go/cache GOENV=off
    printf 'module my-bot\n\ngo 1.21\n' >go.mod
    sed "s,\"judgebot\([\"/]\),\"$module\1," "$sdk/templates/go/mahjong.go" >main.go
    "$go" get "$module@v$version"
    "$go" vet .
    GOOS=wasip1 GOARCH=wasm "$go" build -trimpath -ldflags '-s -w' -o bot.wasm .
    judge_accepts bot.wasm --memory-kib 16384
}
