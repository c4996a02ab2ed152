# The kit for C++ in one header.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of packages.sh

compiler=${CXX:-clang++-22}
tools=(python3 "$compiler")
package=$dist/judge-kit.h

make_header() { python3 "$sdk/packages/single-header.py" "$sdk/cpp" "$version" "$package"; }

pack() {
    make_header
    same_twice "$package" make_header
}

try_package() {
    cp -- "$package" .
    local flags=(--target=wasm32-wasi -std=c++20 -O2 -Wno-deprecated)
    printf '#include "judge-kit.h"\n' >only.cpp
    "$compiler" -std=c++20 -fsyntax-only -Wall -Werror only.cpp
    "$compiler" "${flags[@]}" -fsyntax-only -Wall -Werror only.cpp
    {
        sed 's,"brain.h","judge-kit.h",' "$sdk/templates/cpp/mahjong.cpp"
        printf '\n#define JUDGE_KIT_BRAIN MyBrain\n#include "judge-kit.h"\n'
    } >brain.cpp
    cat >bot.cpp <<'CPP'
#include "judge-kit.h"
#include <iostream>

class MyBot : public Bot {
    std::string drawn;
    void notice(const std::string &line) override {
        if (words(line)[0] == "draw") drawn = words(line)[1];
    }
    std::string answer(const std::string &question) override {
        std::cout << "I throw what I drew\n";
        log(drawn);
        return words(question)[0] == "win?" ? "yes" : drawn;
    }
};

#define JUDGE_KIT_BOT MyBot
#include "judge-kit.h"
CPP
    for source in brain bot; do
        "$compiler" "${flags[@]}" -mexec-model=reactor -ffunction-sections -fno-rtti \
            -Wl,--stack-first -Wl,-z,stack-size=65536 -Wl,--max-memory=2097152 \
            "$source.cpp" -o "$source.wasm"
        judge_accepts "$source.wasm"
    done
}
