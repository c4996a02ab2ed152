# The kit for Rust and the crates that it needs, as files for a registry of crates.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154 # variables of packages.sh, text in other languages

tools=(cargo python3)
crates=(judge-core judge-games judge-protocol judge-bot)
folders=(judge/core judge/games sdk/protocol sdk/rust)
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$work/rust/target}

# A workspace of these crates only, so that the licences can be added. Without a repository around
# it, no package depends on a commit.
pack() {
    local folder crate
    stage_files "$repository" Cargo.lock "${folders[@]}"
    python3 - "$repository/Cargo.toml" "${folders[@]}" >"$stage/Cargo.toml" <<'PYTHON'
import re, sys
text, members = open(sys.argv[1]).read(), sys.argv[2:]
text = re.sub(r"(?ms)^default-members = \[.*?^\]\n", "", text)
text = re.sub(r"(?ms)^members = \[.*?^\]\n", f"members = {members}\n".replace("'", '"'), text)
# The judge's own package, which is also in this file, is not in the copy.
print(re.split(r"(?m)^\[package\]", text)[0])
PYTHON
    for folder in "${folders[@]}"; do cp -- "$stage"/LICENSE-* "$stage/$folder"; done
    cargo_package
    same_twice "$CARGO_TARGET_DIR/package/judge-bot-$version.crate" cargo_package
    for crate in "${crates[@]}"; do cp -- "$CARGO_TARGET_DIR/package/$crate-$version.crate" "$dist"; done
}

cargo_package() {
    (cd -- "$stage" &&
        cargo package --quiet --no-verify --exclude-lockfile "${crates[@]/#/--package=}")
}

try_package() {
    local crate
    mkdir src crates
    for crate in "${crates[@]}"; do tar --extract --file "$dist/$crate-$version.crate" --directory crates; done
    # The example of the kit's page; the template in Rust is a program without the kit.
    sed -n '/^```rust$/,/^```$/{/^```/d;p}' "$sdk/rust/README.md" >src/lib.rs
    {
        printf '[package]\nname = "my-bot"\nedition = "2024"\n[lib]\ncrate-type = ["cdylib"]\n'
        printf '[dependencies]\njudge-bot = "%s"\n[patch.crates-io]\n' "$version"
        for crate in "${crates[@]}"; do
            printf '%s = { path = "crates/%s-%s" }\n' "$crate" "$crate" "$version"
        done
    } >Cargo.toml
    # Versions that are already on this computer.
    cp -- "$repository/Cargo.lock" .
    RUSTFLAGS='-C link-arg=-zstack-size=65536 -C link-arg=--max-memory=2097152 -C link-arg=--stack-first' \
        cargo build --quiet --release --target wasm32-unknown-unknown
    judge_accepts "$CARGO_TARGET_DIR/wasm32-unknown-unknown/release/my_bot.wasm"
}
