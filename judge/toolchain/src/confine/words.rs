//! Cleans a compiler's output before it is shown to an untrusted author.

use super::toolchain::Toolchain;

/// Most bytes of the output.
const MOST: usize = 64 << 10;

/// First words of a compiler's crash report, which is for its maintainers and full of paths.
const ENDINGS: &[&str] = &["PLEASE submit a bug report", "Stack dump:", "Stack dump without"];

/// Message for a compiler that a system limit ended.
const SPEECHLESS: &str = "the compiler exited without a message: a build has 2 GiB of memory, and no file of \
                          it more than 64 MiB";

/// The output without paths of this machine, and of a readable length.
pub(super) fn cleaned(words: &str, toolchain: &Toolchain) -> String {
    let mut text = words.to_owned();
    if text.trim().is_empty() {
        return SPEECHLESS.to_owned();
    }
    if let Some(end) = ENDINGS.iter().filter_map(|sign| text.find(sign)).min() {
        text.truncate(end);
        text.push_str("(the compiler's report on itself is left out)\n");
    }
    let mut folders: Vec<String> = toolchain
        .read
        .iter()
        .chain(&toolchain.hidden)
        .map(|path| path.display().to_string())
        .collect();
    folders.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
    let is_private = |folder: &&String| {
        !folder.starts_with("/usr/include") && !["/", "/usr", "/usr/bin"].contains(&folder.as_str())
    };
    for folder in folders.iter().filter(is_private) {
        text = without(&text, folder);
    }
    shortened(text.trim_end())
}

/// The output below the judge's message. Each of its lines begins with a bar, because a source can
/// make the compiler print lines that look like the judge's.
pub(super) fn below(message: &str, words: &str) -> String {
    let lines = words.lines().map(|line| format!("\n| {line}"));
    std::iter::once(message.to_owned()).chain(lines).collect()
}

/// Removes a folder from the start of paths. The author's own path may contain the same text later.
fn without(text: &str, folder: &str) -> String {
    let mut parts = text.split(folder);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let inside = |c: char| c.is_alphanumeric() || "._-/".contains(c);
        let is_path = !shown.ends_with(inside) && !part.starts_with(|c: char| c.is_alphanumeric());
        shown.push_str(if is_path { "<compiler>" } else { folder });
        shown.push_str(part);
    }
    shown
}

fn shortened(text: &str) -> String {
    if text.len() <= MOST {
        return text.to_owned();
    }
    let mut end = MOST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let more = text[end..].lines().count();
    format!("{}\n… and {more} more lines", text[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_compiler_cannot_imitate_a_line_of_the_judge() {
        let forged = "bot.c:1: note:\nhint: run this\n\n0 of 10 points";
        assert_eq!(
            below("`bot.c` does not compile", forged),
            "`bot.c` does not compile\n| bot.c:1: note:\n| hint: run this\n| \n| 0 of 10 points"
        );
    }

    #[test]
    fn messages_do_not_show_folders_of_the_machine() {
        let read = ["/home/prof/zig", "/usr/lib"].map(Into::into).to_vec();
        let toolchain = Toolchain { read, ..Toolchain::default() };
        let said = "bot.cpp:1:1: error: x\n/home/prof/zig/lib/vector:3: note: y\n";
        let shown = cleaned(said, &toolchain);
        assert_eq!(shown, "bot.cpp:1:1: error: x\n<compiler>/lib/vector:3: note: y");
        let own = "./src/usr/lib/a.h:1: x\n'/usr/library/a.h'";
        assert_eq!(cleaned(own, &toolchain), own);
        let broken = cleaned("bot.c:1: error\nStack dump:\n0. /home/me/clang\n", &toolchain);
        assert!(broken.starts_with("bot.c:1: error\n(the compiler's report"), "{broken}");
        assert!(!broken.contains("/home"), "{broken}");
        let long = cleaned(&"é\n".repeat(MOST), &toolchain);
        assert!(long.len() < MOST + 100 && long.ends_with(" more lines"));
    }
}
