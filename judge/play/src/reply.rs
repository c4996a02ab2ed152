//! Replies to a page: what is done, or why it is not.

use serde::Serialize;
use serde_json::{Value, json};

use crate::refusal::Refusal;
use crate::request::Request;
use crate::session::Session;
use crate::state::{Following, State};

/// A reply as text: `{"done": …}`, or `{"refused": "why"}` when nothing has changed.
pub fn text(reply: Result<Value, impl std::fmt::Display>) -> String {
    let reply = match reply {
        Ok(done) => json!({ "done": done }),
        Err(refusal) => json!({ "refused": refusal.to_string() }),
    };
    reply.to_string()
}

/// Does what a request asks of a round.
///
/// # Errors
/// When the rules do not take an answer, the round does not stand so, or the request is about
/// something else than a round.
pub fn reply(session: &mut Session<'_>, request: Request) -> Result<Value, Refusal> {
    match request {
        Request::State => {}
        Request::Answer { text } => session.answer(&text)?,
        Request::Undo => session.undo()?,
        Request::Redo => session.redo()?,
        Request::Resign => session.resign()?,
        Request::Choices { chosen } => {
            return json(&Following::from(session.state().choices(&chosen)));
        }
        Request::Replay => return replay(session),
        Request::Games | Request::Verify { .. } | Request::Start(_) => {
            return Err(Refusal::Malformed("it is not about a round".to_owned()));
        }
    }
    json(&State::of(session))
}

fn replay(session: &Session<'_>) -> Result<Value, Refusal> {
    let record = session.record()?;
    let spec = &record.header.spec;
    let name = format!("{}-{}.jsonl", spec.game, spec.seed);
    let digest = record.digest().to_string();
    Ok(json!({ "name": name, "digest": digest, "text": record.to_replay() }))
}

fn json(value: &impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(value).map_err(|error| Refusal::Judge(error.to_string()))
}
