# The kit for Python, for PyPI.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of packages.sh

python=${JUDGE_PACKAGES_PYTHON:-python3}
tools=("$python")
wheel=$dist/judge_bot-$version-py3-none-any.whl
package=$dist/judge_bot-$version.tar.gz

# The modules `build`, `setuptools` and `mypy` are tools, too.
if ! "$python" -c 'import build, mypy, setuptools' 2>/dev/null; then
    tools+=('build, mypy and setuptools for Python (JUDGE_PACKAGES_PYTHON)')
fi

build_wheel() {
    rm -rf -- "$stage/build" "$stage"/*.egg-info
    "$python" -m build --no-isolation --outdir "$dist" "$stage" >"$work/build.log" 2>&1 || {
        cat "$work/build.log" >&2
        fail 'the wheel is not built'
    }
}

pack() {
    expect_version "$(sed -n 's/^version = "\(.*\)"$/\1/p' "$sdk/python/pyproject.toml")" \
        sdk/python/pyproject.toml
    stage_files "$sdk/python" pyproject.toml README.md judge_bot
    (cd -- "$stage" && "$python" -m mypy --no-error-summary --cache-dir "$work/mypy")
    rm -rf -- "$stage"/*.egg-info
    build_wheel
    same_twice "$wheel" build_wheel
}

try_package() {
    "$python" -m venv --without-pip here
    local site
    site=$(here/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    python3 -m zipfile -e "$wheel" "$site"
    [[ -f $site/judge_bot/py.typed ]] || fail 'the package says nothing about its types'
    cp -- "$sdk/templates/python/mahjong.py" bot.py
    answers here/bin/python bot.py
    play_rounds here/bin/python bot.py
    [[ -z ${JUDGE_BINARY-} ]] || "$JUDGE_BINARY" build bot.py -o bot.wasm >/dev/null
    [[ -z ${JUDGE_BINARY-} ]] || judge_accepts bot.wasm
    # The types are known outside: a right bot passes, and a wrong one does not.
    cat >typed.py <<'PYTHON'
from judge_bot import Tools, amazons, run


def choose_move(state: amazons.State, tools: Tools) -> amazons.Move:
    tools.log(str(state.seat))
    moves: list[amazons.Move] = amazons.legal_moves(state)
    return moves[tools.random.below(len(moves))]


run(amazons, choose_move)
PYTHON
    sed 's/state.seat/state.chair/' typed.py >wrong.py
    local check=("$python" -m mypy --strict --no-error-summary --cache-dir "$work/mypy"
        --python-executable here/bin/python)
    "${check[@]}" typed.py
    if "${check[@]}" wrong.py >wrong.log; then fail 'no error for a field that does not exist'; fi
    grep -q 'has no attribute "chair"' wrong.log || fail "$(cat wrong.log)"
}
