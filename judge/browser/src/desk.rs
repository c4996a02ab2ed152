//! The module's side of a page: receives requests and returns replies as text, and keeps the round.

use judge_core::{Limits, RoundSpec, Seat, SeatSpec};
use judge_games::{Game, OpponentInfo, OptionInfo};
use judge_session::{
    AnswerRefusal, OtherPerson, Partner, Reference, Request, Session, SessionSetup, Start, reply,
    text,
};
use serde_json::{Value, json};

use crate::check::verify;
use crate::engine::fingerprint;

/// Handles a page's requests and keeps its round.
#[derive(Default)]
pub struct Desk {
    session: Option<Session<'static>>,
}

impl Desk {
    /// Executes a request. The reply is JSON: `{"done": …}`, or `{"refused": "why"}` if nothing has
    /// changed.
    pub fn handle(&mut self, request: &str) -> String {
        let read = serde_json::from_str(request);
        let read = read.map_err(|error| AnswerRefusal::Malformed(error.to_string()));
        text(read.and_then(|request| self.reply(request)))
    }

    fn reply(&mut self, request: Request) -> Result<Value, AnswerRefusal> {
        match request {
            Request::Games => Ok(games()),
            Request::Verify { text } => {
                let verdict = serde_json::to_value(verify(&text));
                verdict.map_err(|error| AnswerRefusal::Judge(error.to_string()))
            }
            Request::Start(start) => {
                let session = self.session.insert(begin(start)?);
                reply(session, Request::State)
            }
            request => reply(self.session.as_mut().ok_or(AnswerRefusal::NoRound)?, request),
        }
    }
}

/// Begins a round against a reference opponent or another person.
fn begin(start: Start) -> Result<Session<'static>, AnswerRefusal> {
    let game = judge_referee::find(&start.game)?;
    if start.opponent.as_deref() == Some(OtherPerson::NAME) {
        return begin_between_people(start);
    }
    let info = Reference::find(game, start.opponent.as_deref())?;
    let opposite = Reference::seat(info);
    with_partner(start, opposite, |spec, seat| Box::new(Reference::new(info, spec, seat)))
}

/// Begins a round between two people. Those without a name are called by their seats.
fn begin_between_people(start: Start) -> Result<Session<'static>, AnswerRefusal> {
    let name = |seat: Seat| format!("{} {seat}", OtherPerson::NAME);
    let opposite = SeatSpec::Human { name: name(start.seat.other()) };
    let own = start.name.clone().unwrap_or_else(|| name(start.seat));
    let start = Start { name: Some(own), ..start };
    with_partner(start, opposite, |_, _| Box::new(OtherPerson))
}

fn with_partner(
    start: Start,
    opposite: SeatSpec,
    partner: impl FnOnce(&RoundSpec, Seat) -> Box<dyn Partner>,
) -> Result<Session<'static>, AnswerRefusal> {
    let seat = start.seat;
    let setting = SessionSetup {
        game: start.game,
        options: start.options,
        seed: AnswerRefusal::seed(&start.seed)?,
        seat,
        name: start.name,
        opposite,
        limits: Limits::COURSE,
    };
    let spec = setting.spec();
    let partner = partner(&spec, seat);
    Session::start(spec, seat, partner, fingerprint())
}

/// The games, their switches and their opponents.
fn games() -> Value {
    let option = |OptionInfo { key, default, summary }: &OptionInfo| json!({ "key": key, "default": default, "summary": summary });
    let opponent = |OpponentInfo { name, summary, .. }: &OpponentInfo| json!({ "name": name, "summary": summary });
    let game = |game: &&dyn Game| {
        json!({
            "name": game.name(),
            "title": game.title(),
            "summary": game.summary(),
            "options": game.options().iter().map(option).collect::<Vec<_>>(),
            "opponents": game.opponents().iter().map(opponent).collect::<Vec<_>>(),
        })
    };
    judge_games::all().iter().map(game).collect()
}
