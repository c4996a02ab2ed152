//! A round of a bot in the page's engine. The page calls the bot and reports each event; the referee
//! is the one of all rounds.

use std::collections::BTreeMap;

use judge_core::{
    Fault, LogPart, Player, PlayerFault, Purpose, Random, RoundRecord, RoundSpec, Seat, Transcript,
    Usage, Verdict,
};
use judge_guest::faults::{self, EarlyExit, MemoryRefusal, ProgramStage};
use judge_guest::intake::{ModuleInfo, Transport};
use judge_guest::wasi::{self, HostReply};
use judge_guest::{Log, RESERVE, answer, line_of, random_seed};
use judge_referee::{NextStep, OpenRound};
use serde_json::{Value, json};

use super::bot::PageBot;
use super::ending::{CallFailure, FailedCall, settle};
use super::request::GradeRefusal;
use crate::engine::fingerprint;

/// First token of the line after which a program may end.
const LAST_LINE: &str = "end";

/// An event of the bot, as the page reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BotEvent {
    /// Transport A: it has started; the code is the address of its buffer.
    Started,
    /// Transport A: a call returned; the code is the length of the answer, the bytes are the answer.
    Returned,
    /// Transport B: it wants a line; the bytes are its output.
    Waits,
    /// Transport B: it ended; the code is its exit code, the bytes are its output.
    Exited,
    /// A call failed; the bytes are a [`CallFailure`].
    Failed,
}

/// Figures of an event.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EventFigures {
    /// Remaining fuel.
    pub(crate) left: u64,
    /// The code of the event.
    pub(crate) code: u32,
    /// The module's globals for the state and the bulk operator.
    pub(crate) marks: (i32, i32),
    /// Size of the bot's memory, in bytes.
    pub(crate) memory_bytes: u64,
}

/// The next action of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageStep {
    /// The round is over: leave the bot.
    Over,
    /// Send the next line.
    Line,
    /// Let the program end: there is no more input.
    Finish,
}

/// The bot's place in the round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Starting,
    Line { question: bool },
    Finishing { fuel: u64 },
    Over,
}

/// A round in progress.
pub(crate) struct BotRound {
    spec: RoundSpec,
    seat: Seat,
    open: OpenRound,
    other: Box<dyn Player>,
    transcript: Transcript,
    transport: Transport,
    is_script: bool,
    stage: Stage,
    /// The fault of a bot that cannot even start.
    unfit: Option<PlayerFault>,
    /// Remaining fuel after the last call, reserve included.
    fuel: u64,
    /// The bot's calls before the current one.
    calls: u32,
    log: Log,
    log_parts: Vec<LogPart>,
    /// Length of the log before the current call.
    log_before: usize,
    random: Random,
    /// False for a bot with a wrong buffer, which has no usage in the sandbox either.
    is_started: bool,
    /// Memory of a bot that does not get as far as to report it.
    initial_bytes: u64,
    /// The maximum of memory in the module, in bytes.
    own_maximum: Option<u64>,
    /// True if the sandbox may word the fault otherwise.
    pub(crate) is_unsure: bool,
}

impl BotRound {
    /// Begins a round of the bot against a reference opponent.
    pub(crate) fn begin(spec: RoundSpec, bot: &PageBot) -> Result<BotRound, GradeRefusal> {
        let info = bot.info.as_ref().ok_or(GradeRefusal::NoBot)?;
        let seat = Seat::BOTH.into_iter().find(|seat| spec.seat(*seat).is_bot());
        let seat = seat.ok_or(GradeRefusal::NoSuchRound)?;
        let game = judge_referee::find(&spec.game)?;
        let opponent = spec.seat(seat.other()).name();
        let other = judge_referee::reference(game, opponent, seat.other(), spec.seed)?;
        let open = OpenRound::start(&spec)?;
        let random = random_seed(spec.seed, seat).random(Purpose::Bot(seat));
        Ok(BotRound {
            seat,
            open,
            other,
            transcript: Transcript::default(),
            transport: info.transport,
            is_script: bot.is_script,
            stage: Stage::Starting,
            unfit: unfit(info, &spec),
            fuel: spec.limits.fuel.saturating_add(RESERVE),
            calls: 0,
            log: Log::new(&spec.limits),
            log_parts: Vec::new(),
            log_before: 0,
            random,
            is_started: true,
            initial_bytes: info.initial_bytes,
            own_maximum: bot.own_maximum,
            is_unsure: false,
            spec,
        })
    }

    /// The round.
    pub(crate) fn spec(&self) -> &RoundSpec {
        &self.spec
    }

    /// Figures that the page needs for the bot.
    pub(crate) fn facts(&self) -> Value {
        json!({
            "program": self.transport == Transport::Stdio,
            "budget": self.fuel.to_string(),
            "memory_bytes": self.spec.limits.memory_bytes,
            "fixed": fixed(),
        })
    }

    /// The current line to the bot.
    pub(crate) fn line(&self) -> &str {
        self.open.line()
    }

    /// Plays on to the bot's next line. Returns false if the round is over.
    pub(crate) fn next(&mut self) -> bool {
        while self.stage != Stage::Over {
            let question = match self.open.step() {
                NextStep::Tell(seat) if seat == self.seat => false,
                NextStep::Ask(seat) if seat == self.seat => true,
                NextStep::Tell(seat) => {
                    let told = self.other.notice(self.open.line()).map(|_| ());
                    self.check_other(seat, told);
                    continue;
                }
                NextStep::Ask(seat) => {
                    self.ask_other(seat);
                    continue;
                }
                NextStep::End(_) => break,
            };
            if let Some(fault) = self.unfit.take() {
                self.fail(self.seat, fault);
                break;
            }
            if self.stage != Stage::Starting {
                self.stage = Stage::Line { question };
            }
            return true;
        }
        self.stage = Stage::Over;
        false
    }

    fn ask_other(&mut self, seat: Seat) {
        let mut answer = String::new();
        let asked = self.other.ask(self.open.line(), &mut answer).map(|_| ());
        if asked.is_ok() {
            let refused = self.open.answer(seat, &answer).is_err();
            self.transcript.seat_mut(seat).answers.push(answer);
            if refused {
                self.stage = Stage::Over;
            }
        }
        self.check_other(seat, asked);
    }

    fn check_other(&mut self, seat: Seat, called: Result<(), PlayerFault>) {
        if let Err(fault) = called {
            self.fail(seat, fault);
        }
    }

    /// Takes an event of the bot.
    pub(crate) fn event(
        &mut self,
        event: BotEvent,
        figures: EventFigures,
        bytes: &[u8],
        bot: &PageBot,
    ) -> PageStep {
        let in_call = matches!(self.stage, Stage::Line { .. } | Stage::Finishing { .. });
        let settled = match (self.stage, event) {
            (Stage::Over, _) => return PageStep::Over,
            (_, BotEvent::Failed) => Err(self.failure(figures.marks, bytes, bot)),
            (Stage::Starting, BotEvent::Exited) => {
                Err(self.exit(figures, bytes).fault("before it read its first line"))
            }
            (Stage::Starting, _) => self.started(event, figures, bytes),
            (Stage::Line { question }, _) => self.called(question, event, figures, bytes),
            (Stage::Finishing { fuel }, _) => self.answered(false, event, fuel, bytes),
        };
        if in_call && settled != Ok(PageStep::Finish) {
            self.note_log();
        }
        match settled {
            Ok(step) => step,
            Err(fault) => {
                self.fail(self.seat, fault);
                PageStep::Over
            }
        }
    }

    /// The bot is ready for its first line.
    fn started(
        &mut self,
        event: BotEvent,
        figures: EventFigures,
        bytes: &[u8],
    ) -> Result<PageStep, PlayerFault> {
        let question = judge_protocol::is_question(self.open.line());
        self.log_before = self.log.text.len();
        match event {
            BotEvent::Started => {
                let size = usize::try_from(figures.memory_bytes).unwrap_or(usize::MAX);
                let checked = faults::check_buffer(figures.code, size);
                self.is_started = checked.is_ok();
                checked?;
            }
            _ => answer::nothing(bytes, "before the first line")?,
        }
        self.stage = Stage::Line { question };
        Ok(PageStep::Line)
    }

    /// The bot has read a line.
    fn called(
        &mut self,
        question: bool,
        event: BotEvent,
        figures: EventFigures,
        bytes: &[u8],
    ) -> Result<PageStep, PlayerFault> {
        let line = self.open.line().to_owned();
        let is_last = !question && judge_protocol::first_token(&line) == LAST_LINE;
        if event == BotEvent::Exited && !is_last {
            let when = format!("after `{line}`, before the round was over");
            return Err(self.exit(figures, bytes).fault(&when));
        }
        let used = self.fuel.saturating_sub(figures.left);
        self.fuel = figures.left;
        if figures.left < RESERVE {
            return Err(PlayerFault::out_of_time());
        }
        let bytes = match event {
            BotEvent::Returned => {
                let length = faults::answer_length(figures.code as i32)?;
                bytes.get(..length).unwrap_or(bytes)
            }
            BotEvent::Waits if is_last => {
                self.stage = Stage::Finishing { fuel: used };
                return Ok(PageStep::Finish);
            }
            _ => bytes,
        };
        self.answered(question, event, used, bytes)
    }

    /// Checks the answer to a line, and passes it to the rules.
    fn answered(
        &mut self,
        question: bool,
        event: BotEvent,
        used: u64,
        bytes: &[u8],
    ) -> Result<PageStep, PlayerFault> {
        let line = self.open.line().to_owned();
        let answer = match (event, question) {
            (BotEvent::Returned, true) => Some(line_of(&line, bytes)?),
            (BotEvent::Returned, false) => {
                faults::unanswered(bytes, &line)?;
                None
            }
            (_, true) => Some(answer::one_line(bytes, &line)?),
            (_, false) => {
                answer::nothing(bytes, &format!("after `{line}`"))?;
                None
            }
        };
        let own = self.transcript.seat_mut(self.seat);
        own.fuel.push(used);
        own.answers.extend(answer.map(str::to_owned));
        match answer.map(|answer| self.open.answer(self.seat, answer)) {
            Some(Err(_)) => {
                self.stage = Stage::Over;
                Ok(PageStep::Over)
            }
            _ => Ok(PageStep::Line),
        }
    }

    /// The reason why the bot got no more memory, if a growth was refused.
    fn refused_memory(&self, (state, _): (i32, i32)) -> Option<MemoryRefusal> {
        let limit = self.spec.limits.memory_bytes;
        judge_meter::is_refused(state).then(|| MemoryRefusal::new(self.own_maximum, limit))
    }

    fn exit<'b>(&self, figures: EventFigures, output: &'b [u8]) -> EarlyExit<'b> {
        let refused = self.refused_memory(figures.marks);
        EarlyExit { code: figures.code, is_script: self.is_script, output, refused }
    }

    /// The fault of a failed call.
    fn failure(&mut self, marks: (i32, i32), bytes: &[u8], bot: &PageBot) -> PlayerFault {
        let failure: CallFailure = serde_json::from_slice(bytes).unwrap_or_default();
        let name = bot.name_of(&failure.functions);
        let is_program = self.transport == Transport::Stdio;
        let when = match self.stage {
            Stage::Starting => "while starting up".to_owned(),
            Stage::Line { .. } if is_program => format!("after `{}`", self.open.line()),
            Stage::Finishing { .. } => "after the end of its input".to_owned(),
            Stage::Line { .. } | Stage::Over => String::new(),
        };
        match settle(&failure, marks, self.refused_memory(marks), name.as_deref(), &when) {
            FailedCall::Fault { fault, is_unsure } => {
                self.is_unsure = is_unsure;
                fault
            }
            FailedCall::OutOfFuel => match self.stage {
                Stage::Starting if is_program => ProgramStage::Start.too_slow(),
                Stage::Starting => faults::slow_start(),
                Stage::Finishing { .. } => ProgramStage::End.too_slow(),
                Stage::Line { .. } | Stage::Over => PlayerFault::out_of_time(),
            },
        }
    }

    /// Notes the part of the log that the call has written.
    fn note_log(&mut self) {
        let written = self.log.text.len() - self.log_before;
        let bytes = u32::try_from(written).unwrap_or(u32::MAX);
        if bytes > 0 {
            self.log_parts.push(LogPart { call: self.calls, bytes });
        }
        self.log_before = self.log.text.len();
        self.calls += 1;
    }

    fn fail(&mut self, seat: Seat, fault: PlayerFault) {
        self.stage = Stage::Over;
        self.transcript.fault = Some(match fault.verdict {
            Verdict::JudgeError => Fault::judge(fault.detail),
            verdict => {
                let call = Some(self.open.call());
                Fault { seat: Some(seat), verdict, detail: fault.detail, call }
            }
        });
    }

    /// Appends to the bot's log.
    pub(crate) fn log(&mut self, bytes: &[u8]) {
        self.log.append(bytes);
    }

    /// The next random bytes: four per number of the generator, the last one cut.
    pub(crate) fn random(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        for chunk in bytes.chunks_mut(4) {
            let number = self.random.next_u32().to_le_bytes();
            chunk.copy_from_slice(&number[..chunk.len()]);
        }
        bytes
    }

    /// The record of the round, which the rules determine from the answers.
    pub(crate) fn into_record(mut self, memory_bytes: u64) -> Result<RoundRecord, GradeRefusal> {
        let held = if memory_bytes == 0 { self.initial_bytes } else { memory_bytes };
        let log_parts = (!self.log.text.is_empty()).then_some(self.log_parts);
        let usage = Usage {
            peak_memory_bytes: held.min(self.spec.limits.memory_bytes),
            log: self.log.text,
            log_dropped: self.log.dropped,
            log_parts,
        };
        let usage = if self.is_started { usage } else { Usage::default() };
        self.transcript.seat_mut(self.seat).set_usage(usage);
        Ok(judge_referee::record(&self.spec, fingerprint(), &self.transcript)?)
    }
}

/// The fault of a bot with too much memory for the round.
fn unfit(info: &ModuleInfo, spec: &RoundSpec) -> Option<PlayerFault> {
    let refusal = info.check_limits(&spec.limits).err()?;
    Some(PlayerFault::new(Verdict::InvalidModule, refusal.to_string()))
}

/// System functions with a fixed reply, and that reply.
fn fixed() -> BTreeMap<&'static str, i32> {
    let always = |function: &wasi::Function| match function.answer {
        HostReply::Always(errno) => Some((function.name, errno.code())),
        HostReply::Served => None,
    };
    wasi::FUNCTIONS.iter().filter_map(always).collect()
}
