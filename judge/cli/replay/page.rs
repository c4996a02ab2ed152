//! `judge replay --html`: what the rules make of a kept round, handed to its page.

use std::path::Path;

use judge_core::{Call, MatchRecord, Replay, ReplayError, Seat};
use judge_games::{Match, View};
use judge_referee::Observer;
use judge_report::page::{Beside, Reel, Round, VIEWS};
use judge_report::quoted;

use super::NO_ROUND;
use crate::failure::{Exit, Failure};
use crate::output;

/// Writes the page of the replay in `file`. Of a changed replay, too: the page then says that it
/// is one, and so does the failure.
pub(super) fn write(file: &Path, out: &Path) -> Result<Exit, Failure> {
    let text = Failure::read_text(file)?;
    let replay = Replay::read(&text).map_err(|error| Failure::input(file, &error))?;
    if is_same_file(file, out) {
        let hint = format!("`--html {}`", quoted(&file.with_extension("html").to_string_lossy()));
        return Err(Failure::usage("the page would replace the replay", hint));
    }
    output::can_write(out)?;
    let record = &replay.record;
    let reel = filmed(record).map_err(|error| Failure::input(file, &error))?;
    let trouble = trouble(&replay)?;
    let game = judge_referee::find(&record.header.spec.game)?;
    let round = Round {
        title: game.title(),
        record,
        digest: replay.digest,
        reel,
        verify: &format!("judge verify {}", quoted(&file.to_string_lossy())),
        trouble: trouble.as_deref(),
        beside: None,
    };
    output::write(out, &round.to_html())?;
    match trouble {
        None => Ok(Exit::Passed),
        Some(trouble) => Err(Failure::input(file, &trouble)),
    }
}

/// The page of a round that the judge has made itself; `verify` is the command that checks its file.
pub(crate) fn of_record(
    record: &MatchRecord,
    verify: &str,
    beside: Beside,
) -> Result<String, Failure> {
    let reel = filmed(record)?;
    let (title, digest) = (judge_referee::find(&record.header.spec.game)?.title(), record.digest());
    let beside = Some(beside);
    Ok(Round { title, record, digest, reel, verify, trouble: None, beside }.to_html())
}

/// Whether both name one file that exists.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Why the replay is not to be believed.
fn trouble(replay: &Replay) -> Result<Option<String>, Failure> {
    if let Err(broken) = replay.check_seal() {
        return Ok(Some(ReplayError::from(broken).to_string()));
    }
    let header = &replay.record.header;
    let transcript = judge_referee::transcript_of(&replay.record);
    let again = judge_referee::record(&header.spec, header.fingerprint.clone(), &transcript)?;
    Ok((again != replay.record).then(|| NO_ROUND.to_owned()))
}

fn filmed(record: &MatchRecord) -> Result<Reel, judge_referee::SetupError> {
    let transcript = judge_referee::transcript_of(record);
    let mut camera = Camera::default();
    judge_referee::walk(&record.header.spec, &transcript, &mut camera)?;
    Ok(camera.reel)
}

/// Takes pictures at every question and at the end.
#[derive(Default)]
struct Camera {
    reel: Reel,
}

fn pictures(state: &dyn Match) -> [String; VIEWS] {
    [View::Everything, View::Seat(Seat::One), View::Seat(Seat::Two)].map(|view| state.svg(view))
}

impl Observer for Camera {
    fn called(
        &mut self,
        seat: Seat,
        line: &str,
        answer: Option<&str>,
        fuel: Option<u64>,
        state: &dyn Match,
    ) {
        if answer.is_some() {
            self.reel.question(&pictures(state));
        } else if line.starts_with("end ") && !self.reel.has_ended() {
            self.reel.end(&pictures(state));
        }
        let answer = answer.map(str::to_owned);
        self.reel.call(Call { seat, line: line.to_owned(), answer, fuel });
    }

    fn failed(&mut self, seat: Seat, line: &str, state: &dyn Match) {
        self.reel.question(&pictures(state));
        self.reel.call(Call { seat, line: line.to_owned(), answer: None, fuel: None });
    }
}
