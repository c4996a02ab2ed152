//! Replies to a page: the result of a request, or the reason why it was refused.

use serde::Serialize;
use serde_json::{Value, json};

use crate::refusal::AnswerRefusal;
use crate::request::Request;
use crate::session::Session;
use crate::state::{Following, SessionState};

/// Formats a reply as `{"done": …}`, or as `{"refused": "why"}` if nothing has changed.
pub fn text(reply: Result<Value, impl std::fmt::Display>) -> String {
    let reply = match reply {
        Ok(done) => json!({ "done": done }),
        Err(refusal) => json!({ "refused": refusal.to_string() }),
    };
    reply.to_string()
}

/// Carries out a request on a round.
///
/// # Errors
/// If the answer is illegal, the round is in the wrong state for the request, or the request is not
/// about a round.
pub fn reply(session: &mut Session<'_>, request: Request) -> Result<Value, AnswerRefusal> {
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
            return Err(AnswerRefusal::Malformed("it is not about a round".to_owned()));
        }
    }
    json(&SessionState::from_session(session))
}

fn replay(session: &Session<'_>) -> Result<Value, AnswerRefusal> {
    let record = session.record()?;
    let spec = &record.header.spec;
    let name = format!("{}-{}.jsonl", spec.game, spec.seed);
    let digest = record.digest().to_string();
    Ok(json!({ "name": name, "digest": digest, "text": record.to_replay() }))
}

fn json(value: &impl Serialize) -> Result<Value, AnswerRefusal> {
    serde_json::to_value(value).map_err(|error| AnswerRefusal::Judge(error.to_string()))
}
