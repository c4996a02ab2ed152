//! The lines of the protocol in words for a person, and the score.

use judge_core::{Call, MatchSpec, Seat};
use judge_games::Standing;

/// The news for the person in `seat` in these calls, a line for each thing; tiles drawn in one go
/// stand together. Lines without a translation are shown as they are.
pub(super) fn news(spec: &MatchSpec, seat: Seat, calls: &[Call]) -> Vec<String> {
    let other = spec.seat(seat.other()).name();
    let mut news: Vec<String> = Vec::new();
    let mut drawing = false;
    let told = calls.iter().filter(|call| call.seat == seat && call.answer.is_none());
    for call in told {
        let (word, rest) = call.line.split_once(' ').unwrap_or((&call.line, ""));
        match (word, news.last_mut()) {
            ("draw", Some(last)) if drawing => {
                last.push(' ');
                last.push_str(rest);
            }
            ("draw", _) => news.push(format!("you drew {rest}")),
            ("opponent", _) => news.push(format!("{other} played {rest}")),
            // The result is shown in its own way; of the greeting only the rules are news.
            ("end", _) => {}
            ("game", _) => news.extend(rules(rest)),
            _ => news.push(call.line.clone()),
        }
        drawing = word == "draw";
    }
    news
}

/// The rule switches in a greeting without its first word.
fn rules(greeting: &str) -> Option<String> {
    let facts: Vec<&str> = greeting.split(' ').filter(|fact| fact.contains('=')).collect();
    (!facts.is_empty()).then(|| format!("rules: {}", facts.join(" ")))
}

/// A question in words.
pub(super) fn question(line: &str) -> String {
    let tokens: Vec<&str> = line.split(' ').collect();
    match tokens.as_slice() {
        ["move?", ..] => "your move".to_owned(),
        ["discard?"] => "which tile do you discard?".to_owned(),
        ["win?", tile, "self"] => format!("you drew {tile}, which wins: do you win?"),
        ["win?", tile, "discard"] => format!("the discarded {tile} wins for you: do you win?"),
        ["redraw?", kind] => format!("you drew {kind}: do you put it back and draw again?"),
        _ => line.to_owned(),
    }
}

/// The prompt: the question's first word.
pub(super) fn prompt(line: &str) -> String {
    let word = line.split(' ').next().unwrap_or(line);
    format!("{}> ", word.trim_end_matches('?'))
}

/// The score of both sides and what it is made of, as lines of a table.
pub(super) fn score(spec: &MatchSpec, standing: &Standing) -> Vec<String> {
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

/// The result by the score, if the round ended now.
pub(super) fn as_it_stands(seat: Seat, standing: &Standing) -> String {
    let [own, other] = [seat, seat.other()].map(|seat| standing.scores[seat.index()]);
    let how = match own.cmp(&other) {
        std::cmp::Ordering::Greater => "you would have won",
        std::cmp::Ordering::Equal => "it would have been a draw",
        std::cmp::Ordering::Less => "you would have lost",
    };
    format!("as it stands, {how} {own}:{other}")
}

#[cfg(test)]
mod tests {
    use judge_core::{Limits, Options, SeatSpec, Seed};
    use judge_games::Term;

    use super::*;

    fn spec() -> MatchSpec {
        MatchSpec {
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

    fn call(seat: Seat, line: &str, answer: Option<&str>) -> Call {
        let answer = answer.map(str::to_owned);
        Call { seat, line: line.to_owned(), answer, fuel: None }
    }

    #[test]
    fn only_what_the_person_was_told_is_news() {
        let (own, other) = (Seat::Two, Seat::One);
        let calls = [
            call(own, "game mahjong seat 2 void_suit=false winds=1", None),
            call(other, "draw 9d", None),
            call(own, "draw 1b", None),
            call(other, "draw 8d", None),
            call(own, "draw 2c", None),
            call(other, "discard?", Some("9d")),
            call(own, "opponent 9d", None),
            call(own, "draw 3c", None),
            call(own, "discard?", Some("1b")),
            call(own, "circle ABC", None),
            call(own, "end win 1 0", None),
        ];
        insta::assert_snapshot!(news(&spec(), own, &calls).join("\n"), @r"
        rules: void_suit=false winds=1
        you drew 1b 2c
        random played 9d
        you drew 3c
        circle ABC
        ");
    }

    #[test]
    fn questions_have_words_and_a_prompt() {
        let lines =
            ["move? 0101", "discard?", "win? 7d self", "win? 7d discard", "redraw? i", "x? y"];
        let worded: Vec<String> =
            lines.iter().map(|line| format!("{}{}", prompt(line), question(line))).collect();
        insta::assert_snapshot!(worded.join("\n"), @r"
        move> your move
        discard> which tile do you discard?
        win> you drew 7d, which wins: do you win?
        win> the discarded 7d wins for you: do you win?
        redraw> you drew i: do you put it back and draw again?
        x> x? y
        ");
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
        assert_eq!(as_it_stands(Seat::One, &standing), "as it stands, you would have won 7:-12");
        assert_eq!(as_it_stands(Seat::Two, &standing), "as it stands, you would have lost -12:7");
    }
}
