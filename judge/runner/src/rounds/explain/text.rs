//! The moves that cost the most, as text.

use comfy_table::{CellAlignment, Table, presets};
use judge_core::printable;
use judge_statistics::Estimate;

use super::{Average, ExplainedMove, Outcome};

/// Longest answer in the table.
const LONGEST: usize = 28;

/// Longer questions have the whole position; their first word is enough.
const LONG_QUESTION: usize = 12;

impl Outcome {
    /// Formats the round's end, the costliest moves, and what their figures mean.
    pub fn to_text(&self) -> String {
        let mut lines: Vec<String> = self.chosen.iter().cloned().collect();
        lines.extend(judge_referee::ending(&self.record));
        if self.has_failed() {
            lines.extend(self.trace.iter().map(|line| format!("  {line}")));
            lines.push("the bot failed in this round: correct that first".to_owned());
            lines.extend((self.tried > 0).then(|| self.tries()));
        } else {
            lines.push(self.tries());
        }
        if self.costliest.is_empty() && self.has_failed() {
            return lines.iter().map(|line| printable_lines(line) + "\n").collect();
        }
        lines.push(String::new());
        if self.costliest.is_empty() {
            lines.push(self.nothing_better());
        } else {
            lines.push(self.table());
            lines.push(String::new());
            lines.extend(self.meanings());
        }
        lines.iter().map(|line| printable_lines(line) + "\n").collect()
    }

    /// The reason why no move is listed.
    fn nothing_better(&self) -> String {
        let round = &self.record.header.spec;
        let most =
            judge_referee::find(&round.game).ok().and_then(|game| game.max_score(&round.options));
        if most.is_some_and(|most| self.score >= most) {
            return "this round has the highest possible score: choose another one with `--seed`"
                .to_owned();
        }
        let average = if self.has_luck { " on average" } else { "" };
        format!("none of them would have scored more{average}")
    }

    /// True if the bot failed in the round.
    pub(super) fn has_failed(&self) -> bool {
        self.record.trailer.fault.as_ref().is_some_and(|fault| fault.seat == Some(self.seat))
    }

    /// Describes the costliest move in a line; none if no other answer would have scored more.
    pub(crate) fn costliest_text(&self) -> Option<String> {
        let one = &self.moves[*self.costliest.first()?];
        let (other, score) = self.better(one);
        let gain = match (&one.average, score) {
            (Some(average), _) => {
                let doubt = if average.gain.low > 0.0 { "" } else { ", which may be chance" };
                format!("gained {} on average{doubt}", on_average(average))
            }
            (None, Some(score)) => format!("scored {score} instead of {}", self.score),
            (None, None) => return None,
        };
        let [other, answer] = [other, &one.answer].map(|text| printable(text, LONGEST));
        Some(format!("move {}: it answered `{answer}`; `{other}` would have {gain}", one.number))
    }

    /// The number of answers that were tried.
    pub(super) fn tries(&self) -> String {
        let Outcome { moves, tried, others, score, .. } = self;
        let choices = match moves.len() {
            1 => "1 move with a choice".to_owned(),
            moves => format!("{moves} moves with a choice"),
        };
        let tries = if tried == others {
            format!("all {others} other answers")
        } else {
            format!("{tried} of {others} other answers")
        };
        format!("score {score}, {choices}; {tries} tried, each played on to the end")
    }

    fn table(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).force_no_tty();
        let average = self.has_luck.then_some("on average");
        let heads = ["move", "question", "answer", "other answer", "score"];
        table.set_header(heads.into_iter().chain(average));
        for one in self.costliest.iter().map(|at| &self.moves[*at]) {
            table.add_row(self.cells(one));
        }
        if let Some(column) = table.column_mut(0) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table.trim_fmt()
    }

    fn cells(&self, one: &ExplainedMove) -> Vec<String> {
        let (other, score) = self.better(one);
        let short = |text: &str| printable(text, LONGEST);
        let mut cells = vec![
            one.number.to_string(),
            question(&one.question),
            short(&one.answer),
            short(other),
            score.map_or_else(|| "-".to_owned(), |score| format!("{} -> {score}", self.score)),
        ];
        if self.has_luck {
            cells.push(one.average.as_ref().map_or_else(String::new, on_average));
        }
        cells
    }

    /// The other answer to show for a move, and its score with the luck of the round: the best on
    /// average, if that is known.
    pub(super) fn better<'a>(&self, one: &'a ExplainedMove) -> (&'a str, Option<i64>) {
        let answer = match (&one.average, one.best()) {
            (Some(average), _) => average.answer.as_str(),
            (None, Some(best)) => best.answer.as_str(),
            (None, None) => "",
        };
        let trial = one.tried.iter().find(|trial| trial.answer == answer);
        (answer, trial.map(|trial| trial.score))
    }

    /// The meaning of the columns.
    pub(super) fn meanings(&self) -> Vec<String> {
        let redeals = self.costliest.iter().find_map(|at| self.moves[*at].average.as_ref());
        let Some(Average { redeals, .. }) = redeals else {
            return vec!["score: the bot's score, and its score after the other answer".to_owned()];
        };
        vec![
            "score: with this luck, which the bot could not know: part of it is hindsight"
                .to_owned(),
            format!(
                "on average: the gain over {redeals} other orders of the hidden tiles, with its 95 % \
                 interval"
            ),
        ]
    }
}

fn question(line: &str) -> String {
    let first = line.split(' ').next().unwrap_or_default();
    if line.len() > LONG_QUESTION { printable(first, LONG_QUESTION) } else { line.to_owned() }
}

/// A gain with half of its interval's width.
pub(super) fn on_average(average: &Average) -> String {
    let Estimate { value, high, .. } = average.gain;
    // Zero has no sign.
    let value = value + 0.0;
    let margin = high - value;
    if margin.is_finite() { format!("{value:+.1} ± {margin:.1}") } else { format!("{value:+.1}") }
}

/// [`printable`] for a text of several lines.
fn printable_lines(text: &str) -> String {
    text.split('\n').map(|line| printable(line, usize::MAX)).collect::<Vec<_>>().join("\n")
}
