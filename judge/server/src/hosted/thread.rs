//! One round: the thread that plays it, and that starts and ends the bot's worker process.

use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use judge_arena::{Account, Bounds, Partner, PartnerError, Run};
use judge_core::RoundSpec;
use judge_runner::base::workers::{Workers, fingerprint};
use judge_session::{AnswerRefusal, Request, Session, SessionSetup, reply};
use judge_store::{PersonId, Store, Timestamp};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, oneshot};

use super::bot::{BotPartner, HostedBot};
use super::refused::Refused;
use super::rounds::{IDLE, RoundPermit};

/// Processor time that a bot may use in one round, including answers that were taken back.
const PROCESSOR: Duration = Duration::from_secs(20 * 60);

/// The answer to a request.
pub(super) type Reply = Result<Value, Refused>;

/// A request on its way to the round.
pub(super) struct HostedRequest {
    pub(super) request: Request,
    pub(super) reply: oneshot::Sender<Reply>,
}

/// A round to play.
pub(super) struct RoundThread {
    pub(super) store: Store,
    pub(super) runtime: Handle,
    pub(super) workers: Workers,
    pub(super) person: PersonId,
    pub(super) bot: HostedBot,
    pub(super) setting: SessionSetup,
    /// Released once the bot is no longer needed.
    pub(super) place: RoundPermit,
    /// Permits to think, which bound the number of bots that think at a time.
    pub(super) thinking: Arc<Semaphore>,
}

/// The data that requests can still get once a round is over.
struct Over {
    state: Value,
    replay: Value,
}

impl RoundThread {
    /// Plays the round, and answers requests until none has come for [`IDLE`].
    pub(super) fn keep(self, requests: &Receiver<HostedRequest>, first: oneshot::Sender<Reply>) {
        let Some(over) = self.play(requests, first) else { return };
        drop(self.place);
        while let Ok(HostedRequest { request, reply }) = requests.recv_timeout(IDLE) {
            let _ = reply.send(match request {
                Request::State => Ok(over.state.clone()),
                Request::Replay => Ok(over.replay.clone()),
                _ => Err(AnswerRefusal::Over.into()),
            });
        }
    }

    /// Plays the round to its end; none if it was abandoned or could not begin.
    fn play(
        &self,
        requests: &Receiver<HostedRequest>,
        first: oneshot::Sender<Reply>,
    ) -> Option<Over> {
        let (run, modules) = (self.run(), [self.bot.module.as_slice()]);
        let mut asked = HostedRequest { request: Request::State, reply: first };
        let mut session = match self.think(|| self.begin(&run, &modules)) {
            Ok(session) => session,
            Err(refused) => {
                let _ = asked.reply.send(Err(refused));
                return None;
            }
        };
        loop {
            let told = self.answered(&mut session, asked.request);
            if session.is_over() {
                let over = self.end(&mut session);
                let told =
                    told.and_then(|_| Ok(over.as_ref().map_err(Clone::clone)?.state.clone()));
                let _ = asked.reply.send(told);
                return over.ok();
            }
            // Sending fails if the page was closed meanwhile.
            let _ = asked.reply.send(told);
            asked = requests.recv_timeout(IDLE).ok()?;
        }
    }

    fn answered(&self, session: &mut Session<'_>, request: Request) -> Reply {
        match request {
            Request::Answer { .. } | Request::Undo | Request::Redo => {
                self.think(|| Ok(reply(session, request)?))
            }
            request => Ok(reply(session, request)?),
        }
    }

    /// Waits for a permit, and then does something that makes the bot think.
    fn think<T>(&self, what: impl FnOnce() -> Result<T, Refused>) -> Result<T, Refused> {
        let permit = self.runtime.block_on(self.thinking.acquire());
        let _permit = permit.map_err(|_| Refused::Closed)?;
        what()
    }

    fn run(&self) -> Run {
        let bounds = Bounds { processor: PROCESSOR, journal_bytes: u64::MAX };
        let accounts = vec![Arc::new(Account::new(bounds, None))];
        self.workers.clone().with_jobs(1).run().with_accounts(accounts)
    }

    fn begin<'a>(&self, run: &'a Run, modules: &'a [&'a [u8]]) -> Result<Session<'a>, Refused> {
        let seat = self.setting.seat;
        let spec: RoundSpec = self.setting.clone().spec();
        let partner =
            Partner::new(run, modules, spec.clone(), None).map_err(|error| match error {
                PartnerError::Setup(error) => AnswerRefusal::Setup(error),
                PartnerError::Persons => AnswerRefusal::Judge(error.to_string()),
            })?;
        let partner = Box::new(BotPartner { partner, is_public: self.bot.is_public() });
        let session = Session::start(spec, seat, partner, fingerprint())?;
        Ok(session.with_secret_seed())
    }

    /// Stores the round's record.
    fn end(&self, session: &mut Session<'_>) -> Result<Over, Refused> {
        let record = session.record()?;
        let mut state = reply(session, Request::State)?;
        let replay = reply(session, Request::Replay)?;
        let kept = self.store.keep_human_round(&self.person, &record, Timestamp::now());
        match self.runtime.block_on(kept) {
            Ok(kept) => state["end"]["page"] = json!(format!("/rounds/{}", kept.id)),
            // The page can still save the replay.
            Err(error) => tracing::error!(%error, "a round with a person was not saved"),
        }
        Ok(Over { state, replay })
    }
}
