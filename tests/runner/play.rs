//! Rounds of bots, and of simulated people.

use judge_core::{Blame, Event, Limits, Options, Seat, Seed};
use judge_grading::Repeat;
use judge_runner::Error;
use judge_runner::rounds::play::{
    self, Decision, Ended, Notice, Outcome, Person, PersonMatch, PersonQuestion, PersonRequest,
    Request, RoundSetup, ShownLog,
};

use crate::support::sample;
use crate::{Heard, workers};

/// A round of mahjong against `random`.
pub(crate) fn setting(seed: u64) -> RoundSetup {
    RoundSetup {
        game: Some("mahjong".to_owned()),
        options: Options::new(),
        seed: Seed(seed),
        against: Some("random".to_owned()),
        seat: Seat::One,
        limits: Limits::COURSE,
        beginning: Vec::new(),
    }
}

/// A round of a sample bot.
pub(crate) fn round(bot: &str, setting: RoundSetup) -> Outcome {
    let request = Request { bot: sample(bot), setting };
    play::run(&request, &workers(), &mut Heard::default()).unwrap()
}

#[test]
fn equal_requests_are_equal_rounds() {
    let one = round("mahjong-distance", setting(5));
    assert_eq!(one, round("mahjong-distance", setting(5)));
    assert_ne!(one.record.digest(), round("mahjong-distance", setting(6)).record.digest());
    assert_eq!((one.seat, one.blame()), (Seat::One, None));
    let digest = format!("digest {}", one.record.digest());
    assert_eq!(one.summary(ShownLog::ALL).last(), Some(&digest));
    assert_eq!(one.trace().len(), one.record.calls.len());
}

#[test]
fn a_round_of_a_testcase_repeats_from_its_settings() {
    let repeat = Repeat {
        game: "mahjong".to_owned(),
        options: Options::new(),
        seed: Seed(5),
        opponent: "random".to_owned(),
        seat: Seat::Two,
        fuel: 1000,
        memory_bytes: Limits::COURSE.memory_bytes,
    };
    let setting = RoundSetup::from(&repeat);
    let arguments = "--game mahjong --seed 5 --against random --seat 2 --fuel 1000";
    assert_eq!(repeat.arguments(), arguments);
    let outcome = round("mahjong-distance", setting);
    assert_eq!(outcome.record.header.spec.limits.fuel, 1000);
    // A thousand instructions are too few to play mahjong.
    assert_eq!((outcome.seat, outcome.blame()), (Seat::Two, Some(Blame::Bot)));
}

#[test]
fn a_bot_for_another_game_gives_a_warning() {
    let mut heard = Heard::default();
    let request = Request { bot: sample("patchwork-quilter"), setting: setting(5) };
    let outcome = play::run(&request, &workers(), &mut heard).unwrap();
    assert_eq!(outcome.blame(), Some(Blame::Bot));
    let [Event::Warning { text }] = heard.0.as_slice() else { panic!("{:?}", heard.0) };
    assert!(
        text.ends_with("plays patchwork, not mahjong; name its game with `--game patchwork`"),
        "{text}"
    );
}

/// A person who follows a script, and then always gives the first answer.
#[derive(Default)]
struct Scripted {
    script: Vec<Decision>,
    /// The received messages, one word each.
    told: Vec<&'static str>,
    /// The number of choices at each answered question.
    answered: Vec<usize>,
}

impl Scripted {
    fn new(script: &[Decision]) -> Scripted {
        let script = script.iter().rev().cloned().collect();
        Scripted { script, ..Scripted::default() }
    }

    fn play(&mut self) -> Ended {
        let request =
            PersonRequest { names: vec!["Ada".to_owned()], native: None, setting: setting(3) };
        play::run_with_person(&request, self, &workers(), &mut Heard::default()).unwrap()
    }
}

impl Person for Scripted {
    fn notice(&mut self, table: &PersonMatch, notice: Notice<'_>) -> Result<(), Error> {
        assert_eq!(table.spec.seat(table.person).name(), "Ada");
        self.told.extend(match notice {
            Notice::Begun => Some("begun"),
            Notice::News { .. } => None,
            Notice::Turn { .. } => Some("turn"),
            Notice::Question(_) => Some("question"),
            Notice::Refused { .. } => Some("refused"),
            Notice::NothingToTakeBack => Some("nothing"),
            Notice::TakenBack(_) => Some("taken back"),
            Notice::NothingToRedo => Some("nothing to redo"),
            Notice::Redone(_) => Some("redone"),
            Notice::Ended { board: Some(_), .. } => Some("ended"),
            Notice::Ended { board: None, .. } => Some("given up"),
        });
        Ok(())
    }

    fn answer(
        &mut self,
        _: &PersonMatch,
        question: &PersonQuestion<'_>,
    ) -> Result<Decision, Error> {
        self.answered.push(question.answered);
        let first = || Decision::Answer(question.legal[0].clone());
        Ok(self.script.pop().unwrap_or_else(first))
    }
}

fn answer(text: &str) -> Decision {
    Decision::Answer(text.to_owned())
}

#[test]
fn a_person_plays_to_the_end_without_a_terminal() {
    let mut person = Scripted::default();
    let Ended::Round(outcome) = person.play() else { panic!("the round was to be played") };
    assert_eq!(outcome.record.trailer.fault, None);
    assert_eq!(person.told.first(), Some(&"begun"));
    assert_eq!(person.told.last(), Some(&"ended"));
    let questions = person.told.iter().filter(|told| **told == "question").count();
    assert_eq!(person.answered, (0..questions).collect::<Vec<_>>());
}

#[test]
fn refused_answers_and_answers_taken_back_leave_no_trace() {
    let mut straight = Scripted::default();
    let straight = straight.play();
    let mut detour = Scripted::new(&[Decision::TakeBack, answer("no tile"), answer("99x")]);
    let Ended::Round(there) = detour.play() else { panic!("the round was to be played") };
    assert_eq!(detour.told[..5], ["begun", "question", "nothing", "refused", "refused"]);
    assert_eq!(Ended::Round(there), straight);

    let first = straight_answer(&straight);
    let mut back = Scripted::new(&[answer(&first), Decision::TakeBack]);
    assert_eq!(back.play(), straight);
    assert_eq!(back.told[..5], ["begun", "question", "question", "taken back", "question"]);
    assert_eq!(back.answered[..3], [0, 1, 0]);
}

fn straight_answer(ended: &Ended) -> String {
    let Ended::Round(outcome) = ended else { panic!("there is no round") };
    let calls = outcome.record.calls.iter().filter(|call| call.seat == outcome.seat);
    calls.filter_map(|call| call.answer.clone()).next().unwrap()
}

#[test]
fn a_person_who_leaves_after_an_answer_gives_up() {
    assert_eq!(Scripted::new(&[Decision::Leave]).play(), Ended::Unbegun);
    assert_eq!(Scripted::new(&[Decision::Interrupt]).play(), Ended::Interrupted(None));
    let mut resigns = Scripted::new(&[Decision::Resign]);
    let Ended::Round(outcome) = resigns.play() else { panic!("to resign is to lose a round") };
    assert_eq!(outcome.blame(), None);
    assert_eq!(outcome.record.trailer.outcome.winner, Some(Seat::Two));
    assert_eq!(resigns.told, ["begun", "question", "given up"]);
}
