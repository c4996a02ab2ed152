//! The lines of the protocol in words for a person who plays.

use judge_core::{Call, RoundSpec, Seat};

/// The news for the person in `seat` in these calls, one line each; tiles drawn in one go share a
/// line. Lines without a translation are shown as they are.
pub fn news(spec: &RoundSpec, seat: Seat, calls: &[Call]) -> Vec<String> {
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
            // The result has its own display; of the greeting only the rules are news.
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
pub fn question(line: &str) -> String {
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

#[cfg(test)]
mod tests {
    use judge_core::{Limits, Options, SeatSpec, Seed};

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

    fn call(seat: Seat, line: &str, answer: Option<&str>) -> Call {
        let answer = answer.map(str::to_owned);
        Call { seat, line: line.to_owned(), answer, fuel: None }
    }

    #[test]
    fn news_of_a_person_are_only_new_lines() {
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
    fn every_question_has_a_prompt() {
        let lines =
            ["move? 0101", "discard?", "win? 7d self", "win? 7d discard", "redraw? i", "x? y"];
        insta::assert_snapshot!(lines.map(question).join("\n"), @r"
        your move
        which tile do you discard?
        you drew 7d, which wins: do you win?
        the discarded 7d wins for you: do you win?
        you drew i: do you put it back and draw again?
        x? y
        ");
    }
}
