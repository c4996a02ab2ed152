//! The end of a failing bot in each language: the message first, then the author's functions.

use std::path::{Path, PathBuf};

use crate::support::{Ran, judge, root, says, write};

/// A bot that fails, and the lines that `judge grade` shows of it.
struct Failing {
    /// The name of the source that needs the same compiler.
    language: &'static str,
    name: &'static str,
    file: &'static str,
    text: &'static str,
    shown: &'static [&'static str],
}

const FAILING: &[Failing] = &[
    Failing {
        language: "c",
        name: "assertion",
        file: "bot.c",
        text: "// judge: game=cc\n#include <assert.h>\n#include <stdio.h>\nstatic void think(int squares) \
               {\n    assert(squares > 0 && \"a square\");\n}\nint main(void) {\n    char line[5000];\n    \
               while (fgets(line, sizeof line, stdin)) if (line[0] == 'm') think(line[0] - 'm');\n}\n",
        shown: &["  assertion failed at bot.c:5: squares > 0 && \"a square\", in `think`\n"],
    },
    Failing {
        language: "c",
        name: "recursion",
        file: "bot.c",
        text: "// judge: game=cc\n#include <stdio.h>\nint deeper(volatile int *depth) {\n    volatile int \
               next = *depth + 1;\n    return deeper(&next) + next;\n}\nint main(void) {\n    char \
               line[5000];\n    int start = 0;\n    while (fgets(line, sizeof line, stdin)) if (line[0] == \
               'm') printf(\"%d\\n\", deeper(&start));\n}\n",
        shown: &["  deep or endless recursion: `deeper` calls itself\n  at deeper (bot.c:"],
    },
    Failing {
        language: "cpp",
        name: "exception",
        file: "bot.cpp",
        text: "// judge: game=cc\n#include <iostream>\n#include <stdexcept>\nstruct Lost : \
               std::runtime_error { using std::runtime_error::runtime_error; };\nvoid think() { throw \
               Lost(\"no square\"); }\nint main() {\n    std::string line;\n    while \
               (std::getline(std::cin, line)) if (line[0] == 'm') think();\n}\n",
        shown: &["  uncaught exception `Lost`: no square\n", "(bot.cpp:5)\n"],
    },
    Failing {
        language: "cpp-kit",
        name: "exception",
        file: "brain.cpp",
        text: "#include \"brain.h\"\n#include <stdexcept>\nclass MyBrain : public Brain {\n    void \
               getDraw(Tile) override {}\n    Tile requestDiscard() override { throw \
               std::out_of_range(\"no tile\"); }\n    void getOppDiscard(Tile) override {}\n    bool \
               requestWin(Tile, bool) override { return true; }\n};\n",
        shown: &["  uncaught exception `std::out_of_range`: no tile\n", "(brain.cpp:5)\n"],
    },
    Failing {
        language: "zig",
        name: "panic",
        file: "bot.zig",
        text: "// judge: game=cc\nconst std = @import(\"std\");\npub fn main() void {\n    \
               std.debug.panic(\"no {s}\", .{\"square\"});\n}\n",
        shown: &["  panic: no square\n"],
    },
    Failing {
        language: "assemblyscript",
        name: "abort",
        file: "bot.ts",
        text: "// judge: game=cc\nimport \"./failure\";\nconst buffer = new \
               StaticArray<u8>(4096);\nexport function \
               judge_buffer(): usize { return changetype<usize>(buffer); }\nexport function \
               judge_line(length: i32): i32 {\n  const line = \
               String.UTF8.decodeUnsafe(changetype<usize>(buffer), length);\n  assert(line.length == 0, \
               \"no square\");\n  return 0;\n}\n",
        shown: &["  abort at bot.ts:7: no square\n"],
    },
    Failing {
        language: "go",
        name: "panic",
        file: "bot.go",
        text: "// judge: game=cc\npackage main\n\nimport \"fmt\"\n\nfunc think(squares []int) int { \
               return squares[len(squares)+2] }\n\nfunc main() {\n\tvar line string\n\tfor {\n\t\tif n, _ \
               := fmt.Scanln(&line); n > 0 {\n\t\t\tthink(nil)\n\t\t}\n\t}\n}\n",
        shown: &[
            "  panic: runtime error: index out of range [2] with length 0\n  at main.think (bot.go:6)\n",
        ],
    },
    Failing {
        language: "javascript",
        name: "exception",
        file: "bot.js",
        text: "// judge: game=cc\nfunction think(board) {\n  return board.squares.length;\n}\n\
               globalThis.judgeLine = (line) => {\n  console.log('thinking');\n  if (line.startsWith('m')) \
               think({});\n};\n",
        shown: &["  TypeError: ", "\n  at think (bot.js:3)\n", "\n  log: thinking\n"],
    },
    Failing {
        language: "javascript",
        name: "loop",
        file: "bot.js",
        text: "// judge: game=cc\nlet sum = 0;\nfunction search() {\n  for (;;) {\n    sum += 1;\n  }\n}\n\
               globalThis.judgeLine = (line) => {\n  if (line.startsWith('m')) search();\n};\n",
        shown: &["  in the middle of the call it was at search (bot.js:", "\n  at search (bot.js:"],
    },
    Failing {
        language: "javascript",
        name: "recursion",
        file: "bot.js",
        text: "// judge: game=cc\nfunction dig(depth) {\n  return dig(depth + 1) + 1;\n}\n\
               globalThis.judgeLine = (line) => {\n  if (line.startsWith('m')) dig(0);\n};\n",
        shown: &["  endless recursion", "\n  at dig (bot.js:3)\n"],
    },
    Failing {
        language: "python",
        name: "exception",
        file: "bot.py",
        text: "# judge: game=cc\nfrom judge_bot import cc, run\n\ndef think(state):\n    return 1 // \
               0\n\ndef choose(state, tools=None):\n    print('thinking')\n    return \
               think(state)\n\nrun(cc, choose)\n",
        shown: &["  ZeroDivisionError: ", "\n  at think (bot.py:5)\n  at choose (bot.py:9)\n"],
    },
    Failing {
        language: "python",
        name: "loop",
        file: "bot.py",
        text: "# judge: game=cc\nfrom judge_bot import cc, run\n\ndef search():\n    while True:\n        \
               pass\n\ndef choose(state, tools=None):\n    search()\n\nrun(cc, choose)\n",
        shown: &[
            "  in the middle of the call it was at search (bot.py:6)\n  at search (bot.py:6)\n",
        ],
    },
    Failing {
        language: "python",
        name: "loop-that-catches",
        file: "bot.py",
        text: "# judge: game=cc\nfrom judge_bot import cc, run\n\ndef choose(state, tools=None):\n    \
               while True:\n        try:\n            number = sum(range(100))\n        except \
               Exception:\n            pass\n\nrun(cc, choose)\n",
        shown: &["  in the middle of the call it was at choose (bot.py:"],
    },
    Failing {
        language: "python",
        name: "recursion",
        file: "bot.py",
        text: "# judge: game=cc\nfrom judge_bot import cc, run\n\ndef dig(depth):\n    return dig(depth \
               + 1)\n\ndef choose(state, tools=None):\n    return dig(0)\n\nrun(cc, choose)\n",
        shown: &["  endless recursion", "\n  at dig (bot.py:5)\n"],
    },
];

/// Each bot as a test: its name, the language that it needs, the number in the list.
pub(crate) fn all() -> impl Iterator<Item = (String, &'static str, usize)> {
    FAILING.iter().enumerate().map(|(at, one)| {
        (format!("a_failure_tells_its_message::{}-{}", one.language, one.name), one.language, at)
    })
}

/// Builds and grades the bot, and looks for the lines.
pub(crate) fn tells_its_message(at: usize) {
    let failing = &FAILING[at];
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), failing.file, failing.text);
    // The part of the kit that logs a failure.
    write(
        folder.path(),
        "failure.ts",
        include_str!("../../sdk/assemblyscript/assembly/failure.ts"),
    );
    let game = if failing.language == "cpp-kit" { "mahjong" } else { "cc" };
    let ran = grade(folder.path(), &source, game);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    says(&ran.stdout, failing.shown);
    let first = ran.stdout.find(failing.shown[0]).unwrap();
    assert!(ran.stdout[..first].ends_with('\n'), "the message comes first: {}", ran.stdout);
}

/// A panic of a bot with the kit for Rust is in its log.
pub(crate) fn a_panic_of_the_kit_tells_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("bot");
    std::fs::create_dir_all(project.join("src")).unwrap();
    let kit = root().join("sdk/rust").display().to_string();
    let manifest = format!(
        "[package]\nname = \"bot\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\ncrate-type = \
         [\"cdylib\"]\n\n[dependencies]\njudge-bot = {{ path = {kit:?} }}\n\n[workspace]\n"
    );
    write(&project, "Cargo.toml", manifest);
    let text = "use judge_bot::mahjong::{Brain, Tile};\n\n#[derive(Default)]\nstruct Divides(u32);\n\n\
                impl Brain for Divides {\n    fn draw(&mut self, _: Tile) {}\n    fn discard(&mut self) -> \
                Tile {\n        panic!(\"no tile in {}\", self.0)\n    }\n}\n\n\
                judge_bot::mahjong_bot!(Divides, name: \"divides\", author: \"me\");\n";
    write(&project, "src/lib.rs", text);
    let ran = grade(folder.path(), &project, "mahjong");
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    says(&ran.stdout, &["\n  panicked at src/lib.rs:9: no tile in 0\n"]);
}

fn grade(folder: &Path, source: &PathBuf, game: &str) -> Ran {
    let testcase = format!(
        "title = \"A failure\"\ngame = \"{game}\"\nopponent = \"random\"\nseeds = [1]\nmin_score = \
         0\npoints = 10\n\n[limits]\ntime_ms = 1000\nmemory_kib = 8192\n"
    );
    let testcase = write(folder, "case.toml", testcase);
    judge()
        .args(["grade", "--trust-project"])
        .arg(source)
        .arg("--testcase")
        .arg(testcase)
        .output()
        .unwrap()
        .into()
}
