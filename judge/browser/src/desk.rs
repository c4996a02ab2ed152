//! The other side of a page: takes requests as text, gives replies as text, keeps the round.

use judge_games::{Game, OpponentInfo, OptionInfo};
use serde::Serialize;
use serde_json::{Value, json};

use crate::refusal::Refusal;
use crate::request::Request;
use crate::session::Session;
use crate::state::{Following, State};
use crate::verdict::verify;

/// A page's requests and its round.
#[derive(Default)]
pub struct Desk {
    session: Option<Session>,
}

impl Desk {
    /// Does what a request asks for. The reply is JSON: `{"done": …}`, or `{"refused": "why"}` when
    /// nothing has changed.
    pub fn handle(&mut self, request: &str) -> String {
        let read = serde_json::from_str(request);
        let read = read.map_err(|error| Refusal::Malformed(error.to_string()));
        let reply = match read.and_then(|request| self.reply(request)) {
            Ok(done) => json!({ "done": done }),
            Err(refusal) => json!({ "refused": refusal.to_string() }),
        };
        reply.to_string()
    }

    fn reply(&mut self, request: Request) -> Result<Value, Refusal> {
        match request {
            Request::Games => Ok(games()),
            Request::Verify { text } => json(&verify(&text)),
            Request::Start(start) => {
                self.session = Some(Session::start(&start)?);
                self.state()
            }
            Request::Answer { text } => self.then(|session| session.answer(&text)),
            Request::Undo => self.then(Session::undo),
            Request::Resign => self.then(Session::resign),
            Request::Choices { chosen } => {
                json(&Following::from(self.session()?.state().choices(&chosen)))
            }
            Request::Replay => self.replay(),
        }
    }

    /// Does something with the round and shows what has become of it.
    fn then(
        &mut self,
        act: impl FnOnce(&mut Session) -> Result<(), Refusal>,
    ) -> Result<Value, Refusal> {
        act(self.session.as_mut().ok_or(Refusal::NoRound)?)?;
        self.state()
    }

    fn session(&self) -> Result<&Session, Refusal> {
        self.session.as_ref().ok_or(Refusal::NoRound)
    }

    fn state(&self) -> Result<Value, Refusal> {
        json(&State::of(self.session()?))
    }

    fn replay(&self) -> Result<Value, Refusal> {
        let record = self.session()?.record()?;
        let spec = &record.header.spec;
        let name = format!("{}-{}.jsonl", spec.game, spec.seed);
        let digest = record.digest().to_string();
        Ok(json!({ "name": name, "digest": digest, "text": record.to_replay() }))
    }
}

fn json(value: &impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(value).map_err(|error| Refusal::Judge(error.to_string()))
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
