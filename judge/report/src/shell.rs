//! Arguments quoted for pasting into a shell.

use judge_core::steers;

/// Characters other than letters and digits that need no quotes.
const PLAIN: &str = if cfg!(windows) { r"\/._-+=:,@%" } else { "/._-+=:,@%" };

/// Quotes a path as one argument that is not an option.
pub fn quoted(path: &str) -> String {
    if path.starts_with('-') { word(&format!("./{path}")) } else { word(path) }
}

/// Quotes an option with its value as one argument, so that the value cannot become a separate
/// option.
pub fn option(name: &str, value: &str) -> String {
    format!("{name}={}", word(value))
}

/// Returns the command that replays a round of a testcase and writes its page. The file is already
/// quoted, and so are the arguments, which come from a report.
pub fn see_again(file: &str, arguments: &str) -> String {
    format!("judge play {file} {arguments} --html round.html")
}

/// Quotes a text as one argument.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || PLAIN.contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    let escaped = text.replace('\'', r"'\''");
    if !text.contains(steers) && !text.contains("##[") {
        return format!("'{escaped}'");
    }
    let tame = |c: char| match c {
        // GitHub's runner would interpret `##[` as the start of a command.
        c if c > '\u{ffff}' && steers(c) => format!("\\U{:08x}", u32::from(c)),
        c if steers(c) || c == '#' => format!("\\u{:04x}", u32::from(c)),
        '\\' | '\'' => format!("\\{c}"),
        c => c.to_string(),
    };
    format!("$'{}'", text.chars().map(tame).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_quoted_as_one_word_of_a_shell() {
        assert_eq!(quoted("bots/my-bot.wasm"), "bots/my-bot.wasm");
        let windows = if cfg!(windows) { r"bots\my-bot.wasm" } else { r"'bots\my-bot.wasm'" };
        assert_eq!(quoted(r"bots\my-bot.wasm"), windows);
        assert_eq!(quoted("-rf.wasm"), "./-rf.wasm");
        assert_eq!(option("--player", "--replay=evil"), "--player=--replay=evil");
        assert_eq!(option("--player", "-a b"), "--player='-a b'");
        assert_eq!(quoted("my bot.wasm"), "'my bot.wasm'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted("a\u{1b}'b"), r"$'a\u001b\'b'");
        // After `\u` a shell reads four digits.
        assert_eq!(quoted("a\u{ad}\u{e0041}1"), r"$'a\u00ad\U000e00411'");
    }
}
