//! Sources that attack the machine during compilation, by language. Each fails by its own fault, or
//! is harmless. A sound submission among them is graded as usual.

use crate::course::{ConfinedCourse, SECRET, SOUND};

/// The attacks of each language.
pub(crate) const TESTS: &[(&str, fn())] = &[
    ("c", c),
    ("cpp", cpp),
    ("zig", zig),
    ("go", go),
    ("assemblyscript", assemblyscript),
    ("javascript", javascript),
    ("python", python),
];

/// A driver's message about a killed compiler, as a text in a source.
const KILLED: &str = "\\nclang: error: unable to execute command: Killed\\n";

/// Processor time for each process, in seconds: short enough to limit an attack, and long enough
/// for a sound source on a busy machine.
const SECONDS: &str = "10";

/// An attack: its file, its text, and its author's message, which is empty for a harmless one that
/// is played.
type Attack = (&'static str, String, &'static str);

fn attack(
    language: &str,
    attacks: &[Attack],
    more: impl FnOnce(&ConfinedCourse),
) -> ConfinedCourse {
    let course = ConfinedCourse::new();
    let (_, ending, sound) = SOUND.iter().find(|(known, ..)| *known == language).unwrap();
    course.add(&format!("sound.{ending}"), sound);
    let secret = course.secret().display().to_string();
    for (name, text, _) in attacks {
        course.add(name, text.replace("SECRET", &secret));
    }
    more(&course);
    let ran = course.grade(&["--build", "--build-seconds", SECONDS]);
    assert_eq!(ran.code, 0, "no failure of the judge's own: {}{}", ran.stdout, ran.stderr);
    assert_eq!(course.refused("sound"), Default::default(), "{}", ran.stderr);
    for (name, _, told) in attacks {
        let stem = name.split('/').next().unwrap();
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        let (blame, why) = course.refused(stem);
        let expected = if told.is_empty() { "" } else { "bot" };
        assert_eq!(blame, expected, "{name}: {why}");
        let advice = course.report(stem)["refused"]["hint"].as_str().unwrap_or_default().to_owned();
        assert!(format!("{why}\n{advice}").contains(told), "{name}: {why}\n{advice}");
        assert!(!why.contains("judge-tmp-"), "{name}: no path of this machine: {why}");
    }
    nothing_got_out(&course);
    course
}

/// Checks that no output or built module contains a line of a file that a source tried to read.
fn nothing_got_out(course: &ConfinedCourse) {
    let passwd = std::fs::read("/etc/passwd").unwrap_or_default();
    let first = passwd.split(|byte| *byte == b'\n').next().unwrap_or_default().to_vec();
    let all = course.everything();
    for secret in [SECRET.as_bytes(), &first].into_iter().filter(|secret| !secret.is_empty()) {
        let shown = all.windows(secret.len()).any(|bytes| bytes == secret);
        assert!(!shown, "`{}` was found", String::from_utf8_lossy(secret));
    }
}

/// A source whose module has a section of this size.
fn section_of(bytes: usize) -> String {
    format!(
        "__asm__(\".section .custom_section.large,\\\"\\\",@\\n .zero {bytes}\\n\");\nint main(void) {{}}\n"
    )
}

fn c() {
    let refused = "does not compile";
    let macros: String = (1..40).map(|n| format!("#define A{n} A{0} A{0}\n", n - 1)).collect();
    let attacks: &[Attack] = &[
        ("passwd.c", "#include \"/etc/passwd\"\nint main(void) {}\n".into(), "Permission denied"),
        ("secret.c", "#include \"SECRET\"\nint main(void) {}\n".into(), refused),
        ("environ.c", "#include </proc/self/environ>\nint main(void) {}\n".into(), refused),
        ("zero.c", "#include \"/dev/zero\"\nint main(void) {}\n".into(), refused),
        // Standard input is empty there.
        ("input.c", "#include \"/dev/stdin\"\nint main(void) {}\n".into(), ""),
        // Its own output, for which it would wait.
        (
            "output.c",
            "#include \"/proc/self/fd/1\"\nint main(void) {}\n".into(),
            "files that are not yours",
        ),
        ("neighbour.c", "#include \"sound.c\"\n".into(), "'sound.c' file not found"),
        // Modules that the worker cannot send.
        ("large.c", section_of(20 << 20), "the most is 4 MiB"),
        ("larger.c", section_of(50 << 20), "the most is 4 MiB"),
        // clang embeds nothing if it cannot read the file.
        (
            "embed.c",
            "const char all[] = {\n#embed \"/etc/shadow\"\n};\nint main(void) {}\n".into(),
            "",
        ),
        (
            "embeds.c",
            "const char all[] = {\n#embed \"SECRET\"\n};\nint main(void) { return all[0]; }\n"
                .into(),
            "",
        ),
        (
            "incbin.c",
            "__asm__(\".incbin \\\"/etc/passwd\\\"\");\nint main(void) {}\n".into(),
            refused,
        ),
        // It can learn that a file exists, but nothing else.
        (
            "probing.c",
            "#if __has_include(\"/etc/passwd\")\n#error there\n#endif\n#error end\n".into(),
            "cannot open file",
        ),
        (
            "macros.c",
            format!("#define A0 x;\n{macros}int x; int main(void) {{ A39 }}\n"),
            "s to compile",
        ),
        (
            "array.c",
            "char all[0xf0000000u] = {1};\nint main(int n, char **v) { return all[n]; }\n".into(),
            "the array `all` takes 4026531840 bytes",
        ),
        // Too much text to read, and a worker that should remember all of it.
        (
            "flood.c",
            format!("{}\nint main(void) {{}}\n", "_Pragma(\"GCC warning \\\"x\\\"\")".repeat(2500)),
            "",
        ),
        ("itself.c", "#include __FILE__\nint main(void) {}\n".into(), refused),
        ("-fplugin=x.c", "int x(\n".into(), "-fplugin=x.c:1:7: error"),
        ("@file.c", "int x(\n".into(), "@file.c:1:7: error"),
        ("-o.c", SOUND[0].2.into(), ""),
        // The message of a compiler that the machine killed, on a separate line or not.
        ("killed.c", "#error x: signal: killed\n".into(), "signal: killed"),
        ("clang.c", "#error unable to execute command: Killed\n".into(), "Killed"),
        ("pragma.c", format!("#pragma message(\"{KILLED}\")\nint x(\n"), refused),
        ("warning.c", format!("#pragma GCC warning \"{KILLED}\"\nint x(\n"), refused),
        ("assert.c", format!("_Static_assert(0, \"{KILLED}\");\n"), refused),
        (
            "attribute.c",
            format!(
                "void f(void) __attribute__((error(\"{KILLED}\")));\nint main(void) {{ f(); }}\n"
            ),
            refused,
        ),
        (
            "assembly.c",
            format!("__asm__(\".error \\\"{}\\\"\");\n", KILLED.replace('\\', "\\\\")),
            refused,
        ),
        ("crash.c", "#pragma message(\"\\nPLEASE submit a bug report\")\nint x(\n".into(), refused),
    ];
    let course = attack("c", attacks, |course| {
        // None of these files is used: a Makefile, editor settings, a link.
        course.add("make/bot.c", "#include \"words.h\"\nint main(void) {}\n");
        course.add("make/Makefile", "all:\n\ttouch made\n");
        course.add("make/.clang-format", "x");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt as _;
            for (link, target) in [("make/words.h", "/etc/passwd"), ("link.c", "/etc/passwd")] {
                std::os::unix::fs::symlink(target, course.path().join("in").join(link)).unwrap();
            }
            // A name from an old archive: reported at once.
            let name = std::ffi::OsStr::from_bytes(b"b\xf6t.c");
            std::fs::write(course.path().join("in").join(name), "int main(void) {}\n").unwrap();
        }
    });
    assert!(course.refused("make").1.contains("'words.h' file not found"), "it was a link");
    assert!(!course.path().join("in/make/made").exists());
    assert_eq!(course.worst("link"), "Not a module", "a link is nobody's work");
}

fn cpp() {
    let templates = "template<int N, int M> struct A { enum { v = A<N - 1, 2 * M>::v + \
                     A<N - 1, 2 * M + 1>::v }; };\n\
                     template<int M> struct A<0, M> { enum { v = M & 1 }; };\n\
                     int main() { return A<28, 1>::v; }\n";
    let constants = "constexpr long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n\
                     constexpr long v = f(90);\nint main() { return v; }\n";
    let brain = SOUND[1].2;
    let bomb: String =
        (1..12).map(|n| format!("#define A{n} {}\n", format!("A{} ", n - 1).repeat(10))).collect();
    let attacks: &[Attack] = &[
        ("templates.cpp", templates.into(), "s to compile"),
        ("bomb.cpp", format!("#define A0 int;\n{bomb}A11\nint main() {{}}\n"), "compile"),
        ("constants.cpp", constants.into(), "does not compile"),
        (
            "deep.cpp",
            "template<int N> int f() { return f<N + 1>(); }\nint main() { return f<0>(); }\n"
                .into(),
            "does not compile",
        ),
        ("passwd.cpp", format!("#include \"/etc/passwd\"\n{brain}"), "does not compile"),
        ("raw.cpp", format!("const char all[] = {{\n#embed \"/etc/passwd\"\n}};\n{brain}"), ""),
        ("assert.cpp", format!("static_assert(false, \"{KILLED}\");\n{brain}"), "does not compile"),
        (
            "deprecated.cpp",
            format!("[[deprecated(\"{KILLED}\")]] int f();\nint g() {{ return f(); }}\nint x(\n"),
            "does not compile",
        ),
        // clang computes each element of it.
        (
            "pool.cpp",
            format!(
                "struct Move {{ char a, b, c; Move() = default; Move(int n) : a(n), b(n), c(n) {{}} }};\n\
                 Move pool[150000000];\n{brain}"
            ),
            "pool.cpp:2: the array `pool` takes 450000000 bytes",
        ),
        // The file's name becomes part of a macro's value.
        ("quote\"; int evil; \".cpp", brain.into(), ""),
    ];
    attack("cpp", attacks, |_| {});
}

fn zig() {
    let line = SOUND[2].2;
    let attacks: &[Attack] = &[
        (
            "passwd.zig",
            format!(
                "const all = @embedFile(\"/etc/passwd\");\nexport fn x() u8 {{ return all[0]; }}\n{line}"
            ),
            "does not compile",
        ),
        (
            "above.zig",
            format!(
                "const all = @embedFile(\"../../../secret.txt\");\nexport fn x() u8 {{ return all[0]; }}\n{line}"
            ),
            "does not compile",
        ),
        (
            "headers.zig",
            format!(
                "const c = @cImport(@cInclude(\"/etc/passwd\"));\nexport fn x() u8 {{ return c.root; }}\n{line}"
            ),
            "does not compile",
        ),
        (
            "loop.zig",
            format!(
                "fn f() u64 {{ @setEvalBranchQuota(4000000000); var n: u64 = 0; while (n < 4000000000) n += 1; return n; }}\n\
                 const v = f();\nexport fn x() u64 {{ return v; }}\n{line}"
            ),
            "s to compile",
        ),
        (
            "error.zig",
            format!("comptime {{ @compileError(\"{KILLED}\"); }}\n{line}"),
            "does not compile",
        ),
        (
            "build/bot.zig",
            format!(
                "const x = @import(\"words.zig\");\n{line}export fn y() u8 {{ return x.y; }}\n"
            ),
            "does not compile",
        ),
        (
            "build/build.zig",
            "pub fn build() void { @compileError(\"run\"); }\n".into(),
            "does not compile",
        ),
    ];
    attack("zig", attacks, |course| {
        link_to_secret(course, "build/words.zig");
    });
}

fn go() {
    let main = SOUND[4].2;
    let module = "module bot\n\ngo 1.21\n";
    let embeds = main.replacen(
        "package main\n",
        "package main\n\nimport _ \"embed\"\n\n//go:embed words.txt\nvar words string\n",
        1,
    );
    let foreign =
        main.replacen("package main\n", "package main\n\nimport _ \"example.com/other\"\n", 1);
    let attacks: &[Attack] = &[
        ("embed/go.mod", module.into(), "does not compile"),
        ("embed/main.go", embeds, "does not compile"),
        (
            "cgo.go",
            main.replacen(
                "package main\n",
                "package main\n\n// #include \"/etc/passwd\"\nimport \"C\"\n",
                1,
            ),
            "does not compile",
        ),
        (
            "generate.go",
            main.replacen("package main\n", "package main\n\n//go:generate touch generated\n", 1),
            "",
        ),
        (
            "replaced/go.mod",
            format!(
                "{module}\nrequire example.com/other v1.0.0\nreplace example.com/other => /etc\n"
            ),
            "does not compile",
        ),
        ("replaced/main.go", foreign.clone(), "does not compile"),
        (
            "network/go.mod",
            format!("{module}\nrequire example.com/other v1.0.0\n"),
            "does not compile",
        ),
        ("network/main.go", foreign, "does not compile"),
        // As everywhere, the Rust manifest has priority.
        ("both/go.mod", module.into(), "Rust is not built here"),
        ("both/Cargo.toml", "[package]\nname = \"both\"\n".into(), "Rust is not built here"),
        ("both/main.go", main.into(), "Rust is not built here"),
        (
            "killed.go",
            format!(
                "{main}\nvar x int = `a\n/usr/lib/go/pkg/tool/linux_amd64/compile: signal: killed\n`\n"
            ),
            "does not compile",
        ),
        ("newer/go.mod", "module bot\n\ngo 1.99\n".into(), "does not compile"),
        ("newer/main.go", main.into(), "does not compile"),
    ];
    let course = attack("go", attacks, |course| {
        link_to_secret(course, "embed/words.txt");
    });
    assert!(!course.path().join("in/generated").exists());
}

fn assemblyscript() {
    let line = SOUND[3].2;
    let attacks: &[Attack] = &[
        ("passwd.ts", format!("import {{ x }} from \"/etc/passwd\";\n{line}"), "does not compile"),
        ("above.ts", format!("export * from \"../../../secret.txt\";\n{line}"), "does not compile"),
        // Programs for the compiler: left out, so that none runs.
        ("transform/bot.ts", line.into(), ""),
        (
            "transform/package.json",
            "{\"scripts\": {\"prepare\": \"touch made\"}, \"type\": \"module\"}".into(),
            "",
        ),
        ("transform/asconfig.json", "{\"options\": {\"transform\": [\"./evil.js\"]}}".into(), ""),
        ("transform/evil.js", "throw new Error('a stranger was run');".into(), ""),
        ("--transform=x.ts", line.into(), ""),
    ];
    attack("assemblyscript", attacks, |_| {});
}

/// No script runs during the build: it fails in play, like any other bot.
fn javascript() {
    let line = SOUND[6].2;
    let attacks: &[Attack] = &[
        ("passwd.js", format!("import x from \"/etc/passwd\";\n{line}"), ""),
        ("above.js", format!("import \"../secret.txt\";\nimport \"SECRET\";\n{line}"), ""),
        ("neighbour.js", format!("import \"./sound.js\";\n{line}"), ""),
        ("reads.js", "import * as std from \"std\";\nstd.loadFile(\"SECRET\");\n".into(), ""),
        ("link/bot.js", format!("import \"./words.js\";\n{line}"), ""),
        ("package/bot.js", line.into(), ""),
        ("package/package.json", "{\"scripts\": {\"prepare\": \"touch made\"}}".into(), ""),
    ];
    let course = attack("javascript", attacks, |course| link_to_secret(course, "link/words.js"));
    for name in ["passwd", "above", "neighbour", "reads", "link"] {
        assert_eq!(course.worst(name), "Runtime error", "{name}");
    }
    assert_ne!(course.worst("package"), "Runtime error");
    assert!(!course.path().join("in/package/made").exists());
}

fn python() {
    let line = SOUND[7].2;
    let attacks: &[Attack] = &[
        ("opens.py", format!("print(open(\"SECRET\").read())\n{line}"), ""),
        ("above.py", format!("from ..secret import x\n{line}"), ""),
        ("neighbour.py", format!("import sound\n{line}"), ""),
        (
            "names.py",
            format!("from {} import {}\n{line}", "a.".repeat(200_000), "b,".repeat(100_000)),
            "",
        ),
        ("prefixes.py", format!("import {}b\n{line}", "a.".repeat(50_000)), ""),
        ("runs.py", format!("import os\nos.system(\"touch made\")\n{line}"), ""),
        ("link/bot.py", format!("import words\n{line}"), ""),
    ];
    let course = attack("python", attacks, |course| link_to_secret(course, "link/words.py"));
    for (name, ..) in attacks {
        let name = name.split(['.', '/']).next().unwrap();
        // A source pays for importing a hundred thousand names.
        let is_long = ["names", "prefixes"].contains(&name);
        let expected = if is_long { "Time limit exceeded" } else { "Runtime error" };
        assert_eq!(course.worst(name), expected, "{name}");
    }
    assert!(!course.path().join("in/made").exists());
}

fn link_to_secret(course: &ConfinedCourse, link: &str) {
    #[cfg(unix)]
    std::os::unix::fs::symlink(course.secret(), course.path().join("in").join(link)).unwrap();
    let _ = (course, link);
}
