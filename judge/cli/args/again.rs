//! The command line of this process, to print with changes.

use judge_report::quoted;

/// Returns the text that precedes the command to resume this run; `kept` says which results are
/// kept.
pub(crate) fn interrupted(kept: &str, resume: bool) -> String {
    let more = resume.then(|| "--resume".to_owned());
    format!("interrupted; {kept}. To resume:\n  judge {}", with(&given(), more.into_iter()))
}

pub(super) fn given() -> Vec<String> {
    let given = std::env::args_os().skip(1);
    given.map(|one| one.to_string_lossy().into_owned()).collect()
}

/// Appends options, quoted for a shell. They go before `--`, because an option after it would be
/// read as a name.
pub(super) fn with(given: &[String], more: impl Iterator<Item = String>) -> String {
    let end = given.iter().position(|argument| argument == "--").unwrap_or(given.len());
    let (options, names) = given.split_at(end);
    let words = options.iter().map(|argument| word(argument)).chain(more);
    words.chain(names.iter().map(|argument| word(argument))).collect::<Vec<_>>().join(" ")
}

/// Quotes an argument for a shell, except for the leading dashes of an option.
fn word(argument: &str) -> String {
    let rest = argument.trim_start_matches('-');
    let dashes = &argument[..argument.len() - rest.len()];
    if rest.is_empty() && !dashes.is_empty() {
        dashes.to_owned()
    } else {
        dashes.to_owned() + &quoted(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(given: &[&str], more: &[&str]) -> String {
        let given: Vec<String> = given.iter().map(|&one| one.to_owned()).collect();
        with(&given, more.iter().map(|&one| one.to_owned()))
    }

    #[test]
    fn added_options_come_before_positional_names() {
        let added = command(&["match", "a b.wasm", "it's"], &["--seed 7", "--resume"]);
        assert_eq!(added, r"match 'a b.wasm' 'it'\''s' --seed 7 --resume");
        let added =
            command(&["match", "--option=size=6", "--json", "-", "--", "-a"], &["--resume"]);
        assert_eq!(added, "match --option=size=6 --json - --resume -- -a");
    }

    #[test]
    fn quoted_options_stay_options() {
        assert_eq!(command(&["--json=my file", ""], &[]), "--'json=my file' ''");
    }
}
