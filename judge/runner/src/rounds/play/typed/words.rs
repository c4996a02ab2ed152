//! The prompt of a question, and the score.

use judge_core::{RoundSpec, Seat};
use judge_games::Standing;

/// The prompt of a question: its first word.
pub fn prompt(line: &str) -> String {
    let word = line.split(' ').next().unwrap_or(line);
    format!("{}> ", word.trim_end_matches('?'))
}

/// The score of both sides and its parts, as lines of a table.
pub fn score(spec: &RoundSpec, standing: &Standing) -> Vec<String> {
    let row = |name: &str, [one, two]: [i64; 2]| [name.into(), one.to_string(), two.to_string()];
    let [one, two] = Seat::BOTH.map(|seat| spec.seat(seat).name().to_owned());
    let mut rows = vec![[String::new(), one, two]];
    rows.extend(standing.terms.iter().map(|term| row(term.name, term.values)));
    rows.push(row("score", standing.scores));
    let widths = [0, 1, 2]
        .map(|column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let [title, first, second] = widths;
    let line =
        |[name, one, two]: &[String; 3]| format!("  {name:title$}  {one:>first$}  {two:>second$}");
    rows.iter().map(line).collect()
}

/// The result by the current score, for a round between two people.
pub fn as_it_stands_between(spec: &RoundSpec, standing: &Standing) -> String {
    let [one, two] = standing.scores;
    let ahead = match one.cmp(&two) {
        std::cmp::Ordering::Greater => Seat::One,
        std::cmp::Ordering::Less => Seat::Two,
        std::cmp::Ordering::Equal => {
            return format!("by the score so far, it would have been a draw {one}:{two}");
        }
    };
    let (most, least) = (one.max(two), one.min(two));
    let name = spec.seat(ahead).name();
    format!("by the score so far, seat {ahead} ({name}) would have won {most}:{least}")
}

/// The result by the current score, from the side of a seat.
pub fn as_it_stands(seat: Seat, standing: &Standing) -> String {
    let [own, other] = [seat, seat.other()].map(|seat| standing.scores[seat.index()]);
    let how = match own.cmp(&other) {
        std::cmp::Ordering::Greater => "you would have won",
        std::cmp::Ordering::Equal => "it would have been a draw",
        std::cmp::Ordering::Less => "you would have lost",
    };
    format!("by the score so far, {how} {own}:{other}")
}

#[cfg(test)]
mod tests {
    use judge_core::{Limits, Options, SeatSpec, Seed};
    use judge_games::Term;

    use super::*;

    fn spec() -> RoundSpec {
        RoundSpec {
            game: "mahjong".to_owned(),
            options: Options::new(),
            seed: Seed(1),
            seats: [
                SeatSpec::Reference { name: "random".to_owned() },
                SeatSpec::Human { name: "Ada".to_owned() },
            ],
            limits: Limits::COURSE,
        }
    }

    #[test]
    fn a_prompt_is_the_questions_first_word() {
        assert_eq!(["move? 0101", "discard?", "x? y"].map(prompt), ["move> ", "discard> ", "x> "]);
    }

    #[test]
    fn the_score_is_a_table() {
        let standing = Standing {
            outcome: None,
            scores: [7, -12],
            terms: vec![Term { name: "buttons", values: [5, 100] }],
        };
        insta::assert_snapshot!(score(&spec(), &standing).join("\n"), @r"
                   random  Ada
          buttons       5  100
          score         7  -12
        ");
        let so_far = |seat| as_it_stands(seat, &standing);
        assert_eq!(so_far(Seat::One), "by the score so far, you would have won 7:-12");
        assert_eq!(so_far(Seat::Two), "by the score so far, you would have lost -12:7");
        let of_two =
            |scores| as_it_stands_between(&spec(), &Standing { scores, ..standing.clone() });
        assert_eq!(of_two([7, -12]), "by the score so far, seat 1 (random) would have won 7:-12");
        assert_eq!(of_two([0, 2]), "by the score so far, seat 2 (Ada) would have won 2:0");
        assert_eq!(of_two([1, 1]), "by the score so far, it would have been a draw 1:1");
    }
}
