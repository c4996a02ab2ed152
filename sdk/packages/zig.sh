# The kit for Zig, as a package for `zig fetch`.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of packages.sh

tools=(zig)
package=$dist/judge-bot-zig-$version.tar.gz

pack() {
    expect_version "$(sed -n 's/^ *\.version = "\(.*\)",$/\1/p' "$sdk/zig/build.zig.zon")" \
        sdk/zig/build.zig.zon
    stage_files "$sdk/zig" build.zig build.zig.zon README.md src
    make_archive
    same_twice "$package" make_archive
}

# Paths begin with a folder, which Zig takes off.
make_archive() {
    tar --create --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        --transform 's,^\.,judge-bot,' --directory "$stage" . | gzip -n >"$package"
}

# example NUMBER: an example in Zig of the kit's page.
example() {
    awk -v number="$1" '/^```zig$/ { seen++; on = 1; next } /^```$/ { on = 0 } on && seen == number' \
        "$sdk/zig/README.md"
}

try_package() {
    example 1 >bot.zig
    example 2 >build.zig
    # Without anything in its cache Zig compiles its build system first, for two minutes.
    if [[ ${JUDGE_TESTS-} == all ]]; then
        printf '.{ .name = .my_bot, .version = "0.0.0", .fingerprint = 0x9c5afd6e04ca3136, .paths = .{""}, .dependencies = .{} }\n' \
            >build.zig.zon
        zig fetch --save=judge_bot "$package"
        zig build
        judge_accepts zig-out/bin/bot.wasm
    fi
    local unpacked=$project/unpacked
    mkdir -- "$unpacked"
    tar --extract --gzip --file "$package" --directory "$unpacked" --strip-components 1
    zig build-exe -target wasm32-freestanding -fno-entry -rdynamic -O ReleaseSmall --stack 65536 \
        --max-memory=2097152 -femit-bin=direct.wasm --dep judge -Mroot=bot.zig \
        "-Mjudge=$unpacked/src/judge.zig"
    judge_accepts direct.wasm
}
