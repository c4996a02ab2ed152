//! The boards and rules of a suite, in words. A bot that supports only one board fails on another.

use judge_core::{BotReport, TestcaseReport, Verdict, printable};
use judge_games::{Game, OptionInfo};
use judge_grading::{Suite, Testcase};

/// A value of a rule switch, and the testcases that have it.
struct Used<'a> {
    value: &'a str,
    testcases: Vec<&'a str>,
}

/// Describes the rule switches of a suite for a game, one per line: `` `size` is 6 in `01-warm-up`,
/// 8 in `02-full` ``. Apart from boards, a switch with its default in all testcases is left out.
pub(crate) fn lines<'a>(
    testcases: impl Iterator<Item = &'a Testcase>,
    game: &dyn Game,
) -> Vec<String> {
    let testcases: Vec<&Testcase> = testcases.filter(|case| case.game == game.name()).collect();
    let line = |info: &OptionInfo| {
        let used = used(&testcases, info);
        let is_plain = used.iter().all(|one| one.value == info.default);
        let is_board = matches!(info.key, "size" | "board");
        (!used.is_empty() && (is_board || !is_plain)).then(|| text(info, &used))
    };
    game.options().iter().filter_map(line).collect()
}

fn used<'a>(testcases: &[&'a Testcase], info: &OptionInfo) -> Vec<Used<'a>> {
    let mut all: Vec<Used<'a>> = Vec::new();
    for case in testcases {
        let value = case.options.get(info.key).map_or(info.default, String::as_str);
        match all.iter_mut().find(|one| one.value == value) {
            Some(one) => one.testcases.push(&case.name),
            None => all.push(Used { value, testcases: vec![&case.name] }),
        }
    }
    all
}

/// The names of testcases for display: those of other people's suites are untrusted.
fn names(testcases: &[&str]) -> Vec<String> {
    testcases.iter().map(|name| printable(name, usize::MAX)).collect()
}

fn text(info: &OptionInfo, used: &[Used<'_>]) -> String {
    let part = |one: &Used<'_>| match used.len() {
        1 if one.testcases.len() > 1 => format!("{} in all testcases", one.value),
        _ => format!("{} in `{}`", one.value, names(&one.testcases).join("`, `")),
    };
    let parts: Vec<String> = used.iter().map(part).collect();
    format!("`{}` is {}", info.key, parts.join(", "))
}

/// Texts of faults for moves that leave the board.
const OFF_BOARD: [&str; 2] = ["is not on the board", "is not on this board"];

/// Words of protocol errors that have nothing to do with a board.
const OTHER_FAULTS: [&str; 4] = ["printed ", "no answer to", " returned ", "not a question"];

/// True if the testcase has the usual board and rules of its game.
fn is_usual(name: &str, suite: &Suite, game: &dyn Game) -> bool {
    let testcase = suite.testcases.iter().find(|testcase| testcase.name == name);
    let Some(testcase) = testcase else { return true };
    let value = |info: &OptionInfo| testcase.options.get(info.key).map(String::as_str);
    // More or fewer moves at random do not change what a bot may answer.
    let mut rules = game.options().iter().filter(|info| info.key != "opening");
    rules.all(|info| value(info).is_none_or(|value| value == info.default))
}

/// A remark on the boards of the testcases that the author may know of, for a bot whose answers did
/// not fit a board: they left it, or were wrong only on unusual boards. None for other bots.
pub(crate) fn remark(bot: &BotReport, suite: &Suite, hidden_too: bool) -> Option<String> {
    // Missing, additional and unreadable lines are not about a board.
    let is_misfit = |case: &&TestcaseReport| match case.verdict {
        Verdict::IllegalMove => true,
        Verdict::ProtocolError => !OTHER_FAULTS.iter().any(|text| case.detail.contains(text)),
        _ => false,
    };
    let failed = || bot.testcases.iter().filter(is_misfit);
    let game = judge_games::find(&failed().next()?.game)?;
    let is_off = |case: &TestcaseReport| OFF_BOARD.iter().any(|text| case.detail.contains(text));
    if failed().any(|case| is_usual(&case.name, suite, game)) && !failed().any(is_off) {
        return None;
    }
    let known = suite.testcases.iter().filter(|case| hidden_too || !case.hidden);
    let lines = lines(known, game);
    let all: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    (!lines.is_empty()).then(|| {
        format!(
            "{}: the first line of a round (`game {} …`) has its board and rules; in this suite\n{all}",
            printable(&bot.bot.name, 60),
            game.name()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::bundled;

    #[test]
    fn bundled_suites_say_which_boards_they_use() {
        let lines = |name: &str| {
            let suite = bundled::suite(name).expect("a suite").expect("it makes sense");
            lines(suite.testcases.iter(), judge_games::find(name).expect("a game"))
        };
        let amazons = lines("amazons");
        let size =
            "`size` is 6 in `01-first-steps`, `07-looking-ahead`, 10 in `02-full-board`, `04-";
        assert!(amazons.iter().any(|line| line.starts_with(size)), "{amazons:?}");
        assert!(lines("agamemnon").iter().any(|line| line.contains("loom in `03-loom`, `05-")));
        assert!(lines("cc").iter().any(|line| line.starts_with("`size` is 6 in `01-")));
        assert!(lines("mahjong").is_empty());
    }
}
