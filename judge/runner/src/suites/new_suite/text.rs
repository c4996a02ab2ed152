//! The texts of a new suite's files.

use std::fmt::Write as _;

use judge_core::FUEL_PER_MS;
use judge_games::Game;
use judge_grading::Testcase;

/// Number of testcases in a new suite.
pub(super) const TESTCASES: usize = 3;

/// The text of `suite.toml`.
pub(super) fn suite(game: &dyn Game, folder: &str) -> String {
    let title = game.title();
    // The name is part of a comment and of examples.
    let folder: String = folder.chars().filter(|c| !c.is_control()).collect();
    format!(
        r##"# A suite is this file and one file for each testcase next to it. Testcases are graded in the order of
# their file names. Only files that end in `.toml` are read.

# The title of tables and pages.
title = "{title}: my suite"

# Points that depend on rank among the submissions of a course. To use them, remove the `# ` before
# the next three lines.
# [rank]
# min_points = 20
# curve = [[0, 0], [50, 10], [100, 20]]
# `min_points`: students with fewer points are not ranked. `curve`: percent of the others beaten, and
# points for it.

# Hidden testcases: students see only what they earned. To use them, remove the `# ` before the next
# four lines, and make the key: `judge commit {folder}/ --new-key {folder}.key`.
# [hidden]
# key = "../{folder}.key"
# folder = "../{folder}-hidden/"
# shows = "passed"
# `key`: testcases with `rounds = 8` instead of `seeds` get secret seeds from it.
# `folder`: more testcases, which students cannot read. `shows`: the part that students see: whether
# each was "passed", the "points" of all of them together, or each "verdict" with the score.
"##
    )
}

/// The text of a testcase, with the conditions of a bundled one and different seeds.
pub(super) fn testcase(game: &dyn Game, model: &Testcase, number: u64) -> String {
    let opponents: Vec<&str> = game.opponents().iter().map(|opponent| opponent.name).collect();
    let seeds: Vec<String> =
        (1..=model.rounds as u64).map(|round| (7000 + 100 * number + round).to_string()).collect();
    let most = match model.max_score() {
        Some(most) => format!("# These rounds give {most} at most.\n"),
        None => String::new(),
    };
    let Testcase { title, opponent, seat, min_score, points, limits, .. } = model;
    let (time, memory) = (limits.fuel / FUEL_PER_MS, limits.memory_bytes / 1024);
    let mut text = format!(
        r##"# A testcase: rounds with fixed seeds against a reference opponent. It is named after this file.

# The title.
title = {title}

# The game. `judge games {game}` lists its opponents and options.
game = "{game}"

# The reference opponent. From weak to strong: {opponents}.
opponent = "{opponent}"

# The bot's seat: 1 or 2.
seat = {seat}

# One round for each seed, which is any whole number from 0 up. The same seed gives every bot the
# same luck. A suite with a key may have `rounds = {rounds}` instead, for secret seeds.
seeds = [{seeds}]

# true: students see only what this testcase earned them, and nothing of its rounds.
hidden = false

# The threshold: the sum of the scores of all rounds that is needed to pass.
{most}# This one is a rough guess: `judge calibrate WEAK.wasm STRONG.wasm --suite DIR --write` puts in
# one that separates two bots.
min_score = {min_score}

# The points for passing; `2.5` is possible. Points by score may replace them, such as
# `credit = [[0, 0], [400, 5], [600, 10]]`: 5 points for a score of 400, 10 from 600 on, and a
# straight line between.
points = {points}

# A factor for the points, and whether they count above the maximum. To use one, remove the `# `.
# weight = 1.5
# extra_credit = true

# The limits of the bot, for all rounds of this testcase together.
[limits]
# Time in judge-milliseconds; each is a million instructions, so it is the same on every machine.
time_ms = {time}
memory_kib = {memory}
"##,
        title = quoted(title),
        game = game.name(),
        opponents = opponents.join(", "),
        rounds = model.rounds,
        seeds = seeds.join(", "),
    );
    text += &options(game, model);
    text
}

/// The rule switches; those with their default are commented out.
fn options(game: &dyn Game, model: &Testcase) -> String {
    let mut text = String::new();
    if game.options().is_empty() {
        return text;
    }
    text += "\n# Rule switches. To change one, remove the `# ` before it.\n[options]\n";
    for option in game.options() {
        let set = model.options.get(option.key);
        let off = if set.is_some() { "" } else { "# " };
        let value = value(set.map_or(option.default, String::as_str));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# {}", option.summary);
        let _ = writeln!(text, "{off}{} = {value}", option.key);
    }
    text
}

/// Formats a value as a person would, with numbers and booleans unquoted.
fn value(text: &str) -> String {
    let is_number = text.parse::<i64>().is_ok_and(|number| number.to_string() == text);
    if is_number || matches!(text, "true" | "false") { text.to_owned() } else { quoted(text) }
}

/// Formats a text as a TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
