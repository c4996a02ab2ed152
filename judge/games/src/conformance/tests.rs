//! A tiny game that breaks one promise at a time, to see that each breach is found.

use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;

use judge_core::{Options, Player, PlayerFault, Purpose, Random, RoundResult, Scoring, Seat, Seed};

use super::check;
use crate::{
    Choices, Game, GameState, IllegalMove, OpponentInfo, OptionError, OptionInfo, ResumeError,
    Standing, Step, Target, Term, View,
};

/// The game that `judge/docs/adding-a-game.md` walks through: a folder like every game's.
#[path = "../../examples/nim/mod.rs"]
#[expect(unreachable_pub, reason = "public when it is a registered game")]
mod nim;

/// A flaw in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    None,
    NameWithSpace,
    AnyOptionKey,
    AnyOptionValue,
    WrongDefault,
    SeedInFacts,
    LuckInFacts,
    QuestionWithoutMark,
    NeverEnds,
    RefusesItsOpponent,
    ScoresTooMuch,
    RanksByWinner,
    NotRepeatable,
    NoLuck,
    TakesNonsense,
    NonsenseCounts,
    NonsenseIsForbidden,
    ForfeitWins,
    LegalUnsorted,
    LegalTooMany,
    LegalTooFew,
    StateForgets,
    StateOfTwoLines,
    AnyTextIsAState,
    StandingIsLate,
    NoPicture,
    PictureOfNoLine,
    PictureOfNoSize,
    PointsOutside,
    PointsAtTwo,
    PointsTooLittle,
    PointsNowhere,
}

/// Both sides name digits in turn; the larger sum wins.
struct Toy(Flaw);

static OPTIONS: [OptionInfo; 1] =
    [OptionInfo { key: "rounds", default: "3", summary: "digits for each side: 3 or 4" }];

static OPPONENTS: [OpponentInfo; 1] = [OpponentInfo {
    name: "digits",
    summary: "names random digits",
    create: |seat, seed| Box::new(Digits(Some(seed.random(Purpose::Opponent(seat))))),
}];

static LUCKLESS: [OpponentInfo; 1] = [OpponentInfo {
    name: "five",
    summary: "always names 5",
    create: |_, _| Box::new(Digits(None)),
}];

/// Names digits: random ones, or always 5.
struct Digits(Option<Random>);

impl Player for Digits {
    fn notice(&mut self, _line: &str) -> Result<Option<u64>, PlayerFault> {
        Ok(None)
    }

    fn ask(&mut self, _line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let digit = self.0.as_mut().map_or(5, |random| random.below(10));
        answer.push_str(&digit.to_string());
        Ok(None)
    }
}

impl Game for Toy {
    fn name(&self) -> &'static str {
        if self.0 == Flaw::NameWithSpace { "the toy" } else { "toy" }
    }

    fn title(&self) -> &'static str {
        "Toy"
    }

    fn summary(&self) -> &'static str {
        "the larger sum of digits wins"
    }

    fn options(&self) -> &'static [OptionInfo] {
        &OPTIONS
    }

    fn opponents(&self) -> &'static [OpponentInfo] {
        if self.0 == Flaw::NoLuck { &LUCKLESS } else { &OPPONENTS }
    }

    fn scoring(&self) -> Scoring {
        if self.0 == Flaw::RanksByWinner { Scoring::Result } else { Scoring::Score }
    }

    /// Three digits by default.
    fn max_score(&self, _options: &Options) -> Option<i64> {
        Some(if self.0 == Flaw::ScoresTooMuch { 9 } else { 27 })
    }

    fn start(&self, options: &Options, seed: Seed) -> Result<Box<dyn GameState>, OptionError> {
        if self.0 != Flaw::AnyOptionKey {
            crate::game::check_keys(self, options)?;
        }
        let standard = if self.0 == Flaw::WrongDefault { "4" } else { "3" };
        let rounds = match options.get("rounds").map_or(standard, String::as_str) {
            "3" => 3,
            "4" => 4,
            _ if self.0 == Flaw::AnyOptionValue => 3,
            other => {
                let value = other.to_owned();
                return Err(OptionError::Value { key: "rounds", value, expected: "3 or 4" });
            }
        };
        Ok(Box::new(Sums { flaw: self.0, seed, rounds, said: 0, sums: [0; 2] }))
    }

    fn resume(
        &self,
        options: &Options,
        seed: Seed,
        state: &str,
    ) -> Result<Box<dyn GameState>, ResumeError> {
        self.start(options, seed)?;
        let lenient = self.0 == Flaw::AnyTextIsAState;
        match parse(state.trim_end()).or(lenient.then_some([0; 3])) {
            Some([said, one, two]) if lenient || said <= 6 => {
                Ok(Box::new(Sums { flaw: self.0, seed, rounds: 3, said, sums: [one, two] }))
            }
            _ => Err(ResumeError::State(format!("`{state}` is not three numbers up to 6, 54, 54"))),
        }
    }

    #[cfg(feature = "vectors")]
    fn check_vector(&self, _: &serde_json::Value) -> Result<(), crate::vectors::VectorError> {
        Ok(())
    }
}

/// The three numbers of a state.
fn parse(state: &str) -> Option<[i64; 3]> {
    let numbers = state.split(' ').map(|text| text.parse::<u8>().ok().filter(|n| *n <= 54));
    let numbers: Vec<i64> = numbers.map(|number| number.map(i64::from)).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

struct Sums {
    flaw: Flaw,
    seed: Seed,
    rounds: i64,
    said: i64,
    sums: [i64; 2],
}

impl Sums {
    fn seat(&self) -> Seat {
        Seat::BOTH[(self.said % 2) as usize]
    }

    fn over(&self) -> bool {
        self.said >= 2 * self.rounds
    }

    fn outcome(&self) -> RoundResult {
        let [one, two] = self.sums;
        let winner = if one > two { Seat::One } else { Seat::Two };
        RoundResult {
            scores: self.sums,
            winner: (one != two).then_some(winner),
            reason: "sums".to_owned(),
        }
    }
}

impl GameState for Sums {
    fn step(&mut self, line: &mut String) -> Step {
        static CALLS: AtomicI64 = AtomicI64::new(0);
        let [one, two] = self.sums;
        if self.over() && self.flaw != Flaw::NeverEnds {
            return Step::End(self.outcome());
        }
        line.push_str(if self.flaw == Flaw::QuestionWithoutMark { "say " } else { "say? " });
        let count = if self.flaw == Flaw::NotRepeatable { CALLS.fetch_add(1, Relaxed) } else { 0 };
        *line += &[one, two, count].map(|number| number.to_string()).join(" ");
        Step::Ask(self.seat())
    }

    fn answer(&mut self, answer: &str) -> Result<(), IllegalMove> {
        let seat = self.seat();
        let sum = &mut self.sums[seat.index()];
        match answer.as_bytes() {
            [digit @ b'0'..=b'9'] if self.flaw != Flaw::RefusesItsOpponent => {
                *sum += i64::from(digit - b'0');
            }
            _ if self.flaw == Flaw::TakesNonsense => {}
            _ if self.flaw == Flaw::NonsenseIsForbidden => {
                return Err(IllegalMove::Forbidden("not now".to_owned()));
            }
            _ => {
                *sum += i64::from(self.flaw == Flaw::NonsenseCounts);
                return Err(IllegalMove::Malformed("not a digit".to_owned()));
            }
        }
        self.said += 1;
        Ok(())
    }

    fn forfeit(&self, loser: Seat) -> RoundResult {
        let winner = if self.flaw == Flaw::ForfeitWins { loser } else { loser.other() };
        RoundResult { scores: [0; 2], winner: Some(winner), reason: "forfeit".to_owned() }
    }

    fn facts(&self) -> String {
        match self.flaw {
            Flaw::SeedInFacts => format!("rounds={} luck={}", self.rounds, self.seed),
            Flaw::LuckInFacts => format!("rounds={} luck={}", self.rounds, self.seed.0 % 97),
            _ => format!("rounds={}", self.rounds),
        }
    }

    fn legal(&self) -> Vec<String> {
        let digits = match self.flaw {
            _ if self.over() => 0..0,
            Flaw::LegalTooMany => 0..11,
            _ => 0..10,
        };
        let mut legal: Vec<String> = digits.map(|digit| digit.to_string()).collect();
        legal.sort();
        if self.flaw == Flaw::LegalUnsorted {
            legal.reverse();
        }
        legal
    }

    fn state(&self) -> String {
        let [one, two] = self.sums;
        let one = if self.flaw == Flaw::StateForgets { 0 } else { one };
        let end = if self.flaw == Flaw::StateOfTwoLines { "\n" } else { "" };
        format!("{} {one} {two}{end}", self.said)
    }

    fn standing(&self) -> Standing {
        let over = self.over() && self.flaw != Flaw::StandingIsLate;
        let terms = vec![Term { name: "sum", values: self.sums }];
        Standing { outcome: over.then(|| self.outcome()), scores: self.sums, terms }
    }

    fn perft(&self, depth: u32) -> u64 {
        let digits = match self.flaw {
            Flaw::LegalTooMany => 11_u64,
            Flaw::LegalTooFew => 12,
            _ => 10,
        };
        digits.pow(depth)
    }

    fn frame(&self, _view: View) -> String {
        format!("{:?}\n", self.sums)
    }

    fn svg(&self, _view: View) -> String {
        match self.flaw {
            Flaw::NoPicture => String::new(),
            Flaw::PictureOfNoLine => "<svg></svg>".to_owned(),
            Flaw::PictureOfNoSize => "<svg></svg>\n".to_owned(),
            _ => "<svg viewBox=\"0 0 10 1\"></svg>\n".to_owned(),
        }
    }

    fn targets(&self) -> Vec<Target> {
        let target =
            |digit: i32, left: i32| Target { part: digit.to_string(), at: [left, 0], size: [1, 1] };
        match self.flaw {
            Flaw::PointsOutside => vec![target(9, 10)],
            Flaw::PointsAtTwo => vec![target(3, 3), target(4, 3)],
            _ => (0..10).map(|digit| target(digit, digit)).collect(),
        }
    }

    fn choices(&self, chosen: &[String]) -> Choices {
        match self.flaw {
            Flaw::PointsTooLittle => Choices::whole(&self.legal()[1..], chosen),
            Flaw::PointsNowhere if !chosen.is_empty() => Choices::default(),
            _ => Choices::whole(&self.legal(), chosen),
        }
    }
}

/// The property that a flaw breaks; none when all hold.
fn broken(flaw: Flaw) -> Option<&'static str> {
    check(&Toy(flaw)).err().map(|violation| violation.property)
}

#[test]
fn a_sound_game_passes() {
    assert_eq!(check(&Toy(Flaw::None)), Ok(()));
}

#[test]
fn conformance_finds_every_flaw() {
    let expected = [
        (Flaw::NameWithSpace, "names and keys are words, and unique"),
        (Flaw::AnyOptionKey, "defaults are accepted, other keys and values are not"),
        (Flaw::AnyOptionValue, "defaults are accepted, other keys and values are not"),
        (Flaw::WrongDefault, "defaults are accepted, other keys and values are not"),
        (Flaw::SeedInFacts, "the greeting has the rules and not the seed"),
        (Flaw::LuckInFacts, "the greeting has the rules and not the seed"),
        (Flaw::QuestionWithoutMark, "random play comes to an end in lines of the protocol"),
        (Flaw::NeverEnds, "random play comes to an end in lines of the protocol"),
        (Flaw::RefusesItsOpponent, "random play comes to an end in lines of the protocol"),
        (Flaw::ScoresTooMuch, "no score is larger than the largest"),
        (Flaw::RanksByWinner, "ranked by score if scores say more than the winner"),
        (Flaw::NotRepeatable, "equal seeds give equal matches"),
        (Flaw::NoLuck, "other seeds give other matches"),
        (Flaw::TakesNonsense, "a wrong answer is refused and changes nothing, a forfeit loses"),
        (Flaw::NonsenseCounts, "a wrong answer is refused and changes nothing, a forfeit loses"),
        (
            Flaw::NonsenseIsForbidden,
            "a wrong answer is refused and changes nothing, a forfeit loses",
        ),
        (Flaw::ForfeitWins, "a wrong answer is refused and changes nothing, a forfeit loses"),
        (Flaw::LegalUnsorted, "legal answers are sorted, distinct, counted and taken"),
        (Flaw::LegalTooMany, "legal answers are sorted, distinct, counted and taken"),
        (Flaw::LegalTooFew, "legal answers are sorted, distinct, counted and taken"),
        (Flaw::StateForgets, "a state is one line, and is read back as it was"),
        (Flaw::StateOfTwoLines, "a state is one line, and is read back as it was"),
        (Flaw::AnyTextIsAState, "no text is a state that cannot be played"),
        (Flaw::StandingIsLate, "the standing at the end is the outcome"),
        (Flaw::NoPicture, "every view has a frame and a picture"),
        (Flaw::PictureOfNoLine, "every view has a frame and a picture"),
        (Flaw::PictureOfNoSize, "pointing leads to every legal answer and to no other"),
        (Flaw::PointsOutside, "pointing leads to every legal answer and to no other"),
        (Flaw::PointsAtTwo, "pointing leads to every legal answer and to no other"),
        (Flaw::PointsTooLittle, "pointing leads to every legal answer and to no other"),
        (Flaw::PointsNowhere, "pointing leads to every legal answer and to no other"),
    ];
    for (flaw, property) in expected {
        assert_eq!(broken(flaw), Some(property), "{flaw:?}");
    }
}

#[test]
fn a_violation_names_game_property_and_detail() {
    let violation = check(&Toy(Flaw::ForfeitWins)).expect_err("a flaw");
    insta::assert_snapshot!(violation.to_string(), @r#"`toy` breaks "a wrong answer is refused and changes nothing, a forfeit loses": forfeit by seat 1 gives RoundResult { scores: [0, 0], winner: Some(One), reason: "forfeit" }"#);
}

#[test]
fn the_example_game_conforms() {
    assert_eq!(check(&nim::GAME), Ok(()));
}

#[cfg(feature = "vectors")]
#[test]
fn the_vectors_of_the_example_game_pass() {
    let text = include_str!("../../examples/nim/golden/vectors.json");
    let file: serde_json::Value = serde_json::from_str(text).expect("JSON");
    let vectors = file["vectors"].as_array().expect("a list");
    assert_eq!(vectors.len(), 3);
    for vector in vectors {
        assert_eq!(nim::GAME.check_vector(vector), Ok(()), "{vector}");
    }
}
