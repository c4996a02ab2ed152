//! Rounds in which the judge fails.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_core::{Fault, Fingerprint, Limits, Options, RoundSpec, Seat, Seed, Transcript};
use judge_referee::SetupError;
use judge_session::{AnswerRefusal, Partner, Reference, Request, Session, SessionSetup, reply};

/// A reference opponent with a process that dies at the third answer.
struct Frail(Reference);

impl Partner for Frail {
    fn play(
        &mut self,
        spec: &RoundSpec,
        person: Seat,
        given: &[String],
    ) -> Result<Transcript, SetupError> {
        if given.len() == 3 {
            let fault = Some(Fault::judge("a worker died"));
            return Ok(Transcript { fault, ..Transcript::default() });
        }
        self.0.play(spec, person, given)
    }
}

fn begun(secret: bool) -> Session<'static> {
    let game = judge_referee::find("amazons").unwrap();
    let info = Reference::find(game, None).unwrap();
    let spec = SessionSetup {
        game: "amazons".to_owned(),
        options: Options::from([("size".to_owned(), "6".to_owned())]),
        seed: Seed(7),
        seat: Seat::One,
        name: None,
        opposite: Reference::seat(info),
        limits: Limits::COURSE,
    }
    .spec();
    let partner = Box::new(Frail(Reference::new(info, &spec, Seat::One)));
    let fingerprint = Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() };
    let session = Session::start(spec, Seat::One, partner, fingerprint).unwrap();
    if secret { session.with_secret_seed() } else { session }
}

#[test]
fn a_judge_error_does_not_change_the_round() {
    let mut session = begun(false);
    for _ in 0..2 {
        let answer = session.state().legal()[0].clone();
        session.answer(&answer).unwrap();
    }
    let before = reply(&mut session, Request::State).unwrap();
    let answer = session.state().legal()[0].clone();
    for _ in 0..2 {
        let refusal = session.answer(&answer).unwrap_err();
        assert_eq!(refusal, AnswerRefusal::Judge("a worker died".to_owned()));
        assert_eq!(reply(&mut session, Request::State).unwrap(), before);
    }
    session.undo().unwrap();
    assert_eq!(session.given().len(), 1);
    session.resign().unwrap();
    assert!(session.record().is_ok());
}

#[test]
fn a_secret_seed_is_shown_at_the_end() {
    assert_eq!(begun(false).seed(), Some(Seed(7)));
    let mut session = begun(true);
    let state = reply(&mut session, Request::State).unwrap();
    assert!(state["seed"].is_null(), "{state}");
    let state = reply(&mut session, Request::Resign).unwrap();
    assert_eq!(state["seed"], "7");
    let other = reply(&mut session, Request::Games).unwrap_err();
    assert!(other.to_string().contains("not about a round"), "{other}");
}
