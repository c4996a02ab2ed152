//! Advice on installing a missing compiler, the shortest way first.

use crate::Language;

/// Ways to install a compiler on Debian, macOS and Windows, one line each.
pub fn advice(language: Language) -> String {
    let lines: &[(&str, &str)] = match language {
        Language::C => &[
            ("any system", "pip install ziglang"),
            ("Debian", "apt install clang-22 lld-22 wasi-libc libclang-rt-22-dev-wasm32"),
            ("macOS", "brew install zig"),
            ("Windows", "winget install zig.zig"),
        ],
        Language::Cpp => &[
            ("any system", "pip install ziglang"),
            (
                "Debian",
                "apt install clang-22 lld-22 libc++-22-dev-wasm32 libclang-rt-22-dev-wasm32 \
                 wasi-libc",
            ),
            ("macOS", "brew install zig"),
            ("Windows", "winget install zig.zig"),
        ],
        Language::Zig => &[
            ("any system", "pip install ziglang"),
            ("macOS", "brew install zig"),
            ("Windows", "winget install zig.zig"),
        ],
        Language::Go => &[
            ("any system", "https://go.dev/dl"),
            ("Debian", "apt install golang"),
            ("macOS", "brew install go"),
            ("Windows", "winget install GoLang.Go"),
        ],
        Language::AssemblyScript => &[
            ("any system", "npm install --global assemblyscript"),
            ("Debian", "apt install npm, and then the same"),
            ("macOS", "brew install node, and then the same"),
            ("Windows", "winget install OpenJS.NodeJS, and then the same"),
        ],
        Language::Rust => &[
            ("any system", "https://rustup.rs, and then"),
            ("", "rustup target add wasm32-unknown-unknown wasm32-wasip1"),
        ],
        Language::JavaScript | Language::Python => {
            return "nothing: the judge has an interpreter for it".to_owned();
        }
        Language::Text => return "nothing: the judge builds it by itself".to_owned(),
    };
    let line = |(system, what): &(&str, &str)| format!("\n  {system:11} {what}");
    format!("install one:{}", lines.iter().map(line).collect::<String>())
}
