//! The opponent of a person. It plays the round from the start to the first question without an
//! answer, for any given answers. These answers are the only state.

use std::time::Duration;

use judge_core::{BySeat, Fault, GivenAnswers, RoundSpec, Seat, SeatSpec, Transcript};
use judge_referee::{Create, OwnPlayer, SetupError};

use crate::pool::{Job, Run};
use crate::station::Station;

/// An error of finding a partner for a round.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PartnerError {
    /// The round cannot begin.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The round has no person.
    #[error("no person plays in this match")]
    Persons,
}

/// The other side of a round with a person, or both sides of a round between two people.
pub struct Partner<'a> {
    spec: RoundSpec,
    person: Seat,
    kind: PartnerKind<'a>,
    /// Answers of the person and of the other side in the previous run.
    last: [Vec<String>; 2],
}

enum PartnerKind<'a> {
    /// Another person: answers come in the order of the questions.
    Person,
    /// The judge's own player, which runs in this process, or a native program.
    Reference(OwnPlayer),
    /// Untrusted code, which never runs in this process: a worker plays the round again each time.
    Bot(Box<BotProcess<'a>>),
}

/// The worker and the round of a bot.
struct BotProcess<'a> {
    station: Station<'a>,
    job: Job,
}

impl<'a> Partner<'a> {
    /// The opponent for a round with a person; `modules` has the bot, if it is one, and `native`
    /// starts the native program, if it is one.
    ///
    /// # Errors
    /// When the game, option or opponent is unknown, or the round has no person.
    pub fn new(
        run: &'a Run,
        modules: &'a [&'a [u8]],
        spec: RoundSpec,
        native: Option<Create>,
    ) -> Result<Partner<'a>, PartnerError> {
        let person = spec.human().ok_or(PartnerError::Persons)?;
        let (game, _) = judge_referee::start(&spec)?;
        let seat = person.other();
        let kind = match spec.seat(seat) {
            SeatSpec::Human { .. } => PartnerKind::Person,
            SeatSpec::Reference { name } => {
                let info = judge_referee::opponent(game, name)?;
                let seed = spec.seed;
                let create = Box::new(move || (info.create)(seat, seed));
                PartnerKind::Reference(OwnPlayer::new(create))
            }
            SeatSpec::Trained { name, sha256 } => {
                let learned = run.tables().find(&spec.game, &spec.options, name, sha256)?;
                let seed = spec.seed;
                let create = Box::new(move || learned.clone().player(seat, seed));
                PartnerKind::Reference(OwnPlayer::new(create))
            }
            SeatSpec::Native { .. } => {
                let create = native.ok_or(SetupError::Native { seat })?;
                PartnerKind::Reference(OwnPlayer::new(create))
            }
            SeatSpec::Bot { .. } => {
                let places = BySeat::from_fn(|other| (other == seat).then_some(0));
                let job = Job { spec: spec.clone(), modules: places };
                PartnerKind::Bot(Box::new(BotProcess { station: run.station(modules), job }))
            }
        };
        Ok(Partner { spec, person, kind, last: [Vec::new(), Vec::new()] })
    }

    /// The round after the person gives these answers and then gives up. All answers must be legal.
    /// In a round between two people, each gives the next answer when asked.
    ///
    /// # Errors
    /// When the round cannot begin.
    pub fn play(&mut self, answers: &[String]) -> Result<Transcript, SetupError> {
        let transcript = match &mut self.kind {
            PartnerKind::Person => return judge_referee::between_people(&self.spec, answers),
            PartnerKind::Reference(own) => own.play(&self.spec, self.person, answers)?,
            PartnerKind::Bot(table) => {
                let BotProcess { station, job } = table.as_mut();
                station
                    .reply(job, &GivenAnswers::answers(answers), &mut Duration::default())
                    .transcript
            }
        };
        Ok(self.believed(transcript, answers))
    }

    /// Checks that the transcript fits the person's answers and the other side's previous answers.
    /// If not, returns a failure of the judge.
    fn believed(&mut self, transcript: Transcript, answers: &[String]) -> Transcript {
        let nobody_played = transcript.seats.iter().all(|seat| seat.answers.is_empty());
        let failed = transcript.fault.as_ref().map(|fault| fault.seat);
        // The judge failed, or the bot could not be played at all.
        if failed == Some(None) || failed == Some(Some(self.person.other())) && nobody_played {
            return transcript;
        }
        let other = &transcript.seat(self.person.other()).answers;
        let [before, said] = &self.last;
        let repeated = !answers.starts_with(before) || other.starts_with(said);
        if transcript.seat(self.person).answers != answers || !repeated {
            let fault = Fault::judge("the round did not repeat itself");
            return Transcript { fault: Some(fault), ..Transcript::default() };
        }
        self.last = [answers.to_vec(), other.clone()];
        transcript
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{Fingerprint, Limits, Options, Seed, digest};
    use judge_sandbox::worker::WorkerCommand;

    use super::*;
    use crate::pool::Pool;

    /// A run without real workers.
    fn run() -> Run {
        let command = WorkerCommand {
            program: "/bin/false".into(),
            arguments: Vec::new(),
            identity: String::new(),
        };
        let fingerprint = Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() };
        Run::new(Pool::new(command, 1, fingerprint))
    }

    fn spec(seats: [SeatSpec; 2]) -> RoundSpec {
        let (options, seed, limits) = (Options::new(), Seed(2), Limits::COURSE);
        RoundSpec { game: "cc".to_owned(), options, seed, seats, limits }
    }

    fn person() -> SeatSpec {
        SeatSpec::Human { name: "Ada".to_owned() }
    }

    fn random() -> SeatSpec {
        SeatSpec::Reference { name: "random".to_owned() }
    }

    fn given(answers: &[&str]) -> Vec<String> {
        answers.iter().map(|&answer| answer.to_owned()).collect()
    }

    #[test]
    fn a_round_stops_at_the_first_question_without_an_answer() {
        let (run, spec) = (run(), spec([random(), person()]));
        let mut partner = Partner::new(&run, &[], spec.clone(), None).expect("a partner");
        let start = partner.play(&[]).expect("a round");
        assert_eq!(start.seats.each_ref().map(|seat| seat.answers.len()), [1, 0].into());
        let legal = judge_referee::retrace(&spec, &start).expect("a round").state.legal();
        let next = partner.play(&legal[..1]).expect("a round");
        assert_eq!(next.seats.each_ref().map(|seat| seat.answers.len()), [2, 1].into());
        assert_eq!(partner.play(&[]).expect("a round"), start, "taken back");
    }

    #[test]
    fn people_answer_in_the_order_of_the_questions() {
        let (run, spec) = (run(), spec([person(), person()]));
        let mut both = Partner::new(&run, &[], spec.clone(), None).expect("a match");
        let mut given = Vec::new();
        for number in 0..5_usize {
            let transcript = both.play(&given).expect("a round");
            let waiting = transcript.fault.as_ref().and_then(|fault| fault.seat);
            let round = judge_referee::retrace(&spec, &transcript).expect("a round");
            assert_eq!(waiting, round.calls.last().map(|call| call.seat), "{number}");
            let answered = transcript.seats.each_ref().map(|seat| seat.answers.len());
            assert_eq!(answered, [number.div_ceil(2), number / 2].into(), "{number}");
            given.push(round.state.legal().swap_remove(0));
        }
    }

    #[test]
    fn a_person_plays_only_against_another_player() {
        let run = run();
        let error = |seats| Partner::new(&run, &[], spec(seats), None).err().expect("no match");
        assert_eq!(error([random(), random()]), PartnerError::Persons);
        let unknown = error([person(), SeatSpec::Reference { name: "dragon".to_owned() }]);
        assert!(matches!(unknown, PartnerError::Setup(SetupError::UnknownOpponent { .. })));
    }

    #[test]
    fn a_worker_that_fails_or_sends_a_false_answer_is_a_judge_error() {
        let run = run();
        let bot = SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(b"bot") };
        let modules: [&[u8]; 1] = [b"bot"];
        let mut partner =
            Partner::new(&run, &modules, spec([person(), bot]), None).expect("a partner");
        let fault = partner.play(&[]).expect("a round").fault.expect("no worker, no round");
        assert_eq!(fault.seat, None, "{}", fault.detail);

        let told = |person: &[&str], bot: &[&str]| {
            let mut transcript = Transcript::default();
            transcript.seats[Seat::One].answers = given(person);
            transcript.seats[Seat::Two].answers = given(bot);
            transcript
        };
        let mut believes = |answers: &[&str], transcript: Transcript| {
            partner.believed(transcript, &given(answers)).fault.is_none()
        };
        assert!(believes(&["a", "b"], told(&["a", "b"], &["x", "y"])));
        assert!(!believes(&["a", "b"], told(&["a", "c"], &["x", "y"])), "a changed answer");
        assert!(!believes(&["a", "b"], told(&["a"], &["x", "y"])), "a dropped answer");
        assert!(!believes(&["a", "b", "c"], told(&["a", "b", "c"], &["x", "z"])), "not repeated");
        assert!(believes(&["a", "c"], told(&["a", "c"], &["x", "z"])), "another way");
    }
}
