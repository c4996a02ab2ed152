# The kit for C++, as a package for CMake.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154 # variables of packages.sh, text in other languages

compiler=${CXX:-clang++-22}
tools=(cmake "$compiler")
package=$dist/judge-kit-cmake-$version.tar.gz

pack() {
    expect_version "$(sed -n 's/^project(judge-kit VERSION \([^ ]*\) .*/\1/p' "$sdk/cpp/CMakeLists.txt")" \
        sdk/cpp/CMakeLists.txt
    stage_files "$sdk/cpp" CMakeLists.txt README.md include
    make_archive
    same_twice "$package" make_archive
}

make_archive() {
    tar --create --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        --directory "$stage" . | gzip -n >"$package"
}

# Standard error of a step, only if it fails.
quietly() {
    "$@" >step.log 2>&1 || {
        cat step.log >&2
        fail "\`$*\`"
    }
}

# build_project NAME TEXT: a project whose kit comes by TEXT, compiled for this machine.
build_project() {
    local folder=$project/$1
    mkdir -- "$folder"
    {
        printf 'cmake_minimum_required(VERSION 3.16)\nproject(bot CXX)\n%s\n' "$2"
        printf 'add_library(bot OBJECT bot.cpp)\ntarget_link_libraries(bot PRIVATE judge::kit)\n'
    } >"$folder/CMakeLists.txt"
    cp -- "$sdk/templates/cpp/mahjong.cpp" "$folder/bot.cpp"
    quietly cmake -S "$folder" -B "$folder/build" -DCMAKE_CXX_COMPILER="$compiler" \
        -DCMAKE_PREFIX_PATH="$project/installed"
    quietly cmake --build "$folder/build"
}

try_package() {
    mkdir source
    tar --extract --gzip --file "$package" --directory source
    quietly cmake -S source -B made -DCMAKE_CXX_COMPILER="$compiler"
    quietly cmake --install made --prefix installed
    build_project found "find_package(judge-kit ${version%.*} REQUIRED)"
    build_project added "add_subdirectory($project/source kit)"
    build_project fetched "include(FetchContent)
FetchContent_Declare(judge-kit URL $package)
FetchContent_MakeAvailable(judge-kit)"
    [[ -z ${JUDGE_BINARY-} ]] || "$JUDGE_BINARY" build found/bot.cpp -o bot.wasm >/dev/null
    [[ -z ${JUDGE_BINARY-} ]] || judge_accepts bot.wasm
}
