//! Words of a command line, to be pasted into a shell.

use judge_core::steers;

/// What needs no quotes besides letters and digits.
const PLAIN: &str = if cfg!(windows) { r"\/._-+=:,@%" } else { "/._-+=:,@%" };

/// A path as one word of a shell, and not an option.
pub fn quoted(path: &str) -> String {
    let path = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    let plain = |c: char| c.is_ascii_alphanumeric() || PLAIN.contains(c);
    if !path.is_empty() && path.chars().all(plain) {
        return path;
    }
    let escaped = path.replace('\'', r"'\''");
    if !path.contains(steers) && !path.contains("##[") {
        return format!("'{escaped}'");
    }
    let tame = |c: char| match c {
        // GitHub's runner takes `##[` for the beginning of a command.
        c if c > '\u{ffff}' && steers(c) => format!("\\U{:08x}", u32::from(c)),
        c if steers(c) || c == '#' => format!("\\u{:04x}", u32::from(c)),
        '\\' | '\'' => format!("\\{c}"),
        c => c.to_string(),
    };
    format!("$'{}'", path.chars().map(tame).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_one_word_of_a_shell() {
        assert_eq!(quoted("bots/my-bot.wasm"), "bots/my-bot.wasm");
        let windows = if cfg!(windows) { r"bots\my-bot.wasm" } else { r"'bots\my-bot.wasm'" };
        assert_eq!(quoted(r"bots\my-bot.wasm"), windows);
        assert_eq!(quoted("-rf.wasm"), "./-rf.wasm");
        assert_eq!(quoted("my bot.wasm"), "'my bot.wasm'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted("a\u{1b}'b"), r"$'a\u001b\'b'");
        // A shell reads four digits after a small `u`.
        assert_eq!(quoted("a\u{ad}\u{e0041}1"), r"$'a\u00ad\U000e00411'");
    }
}
