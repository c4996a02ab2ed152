//! A station plays one round at a time. It starts the workers that a round needs, keeps them while
//! the next round needs the same ones, and replaces those that fail.

mod batch;
mod blame;
mod guest;
mod processes;
mod references;
mod remote;
mod taken_jobs;

use std::cell::RefCell;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use judge_core::{
    BySeat, Digest, FUEL_PER_MS, Fault, GivenAnswers, Player, RoundRecord, RoundSpec, Seat,
    SeatSpec, Transcript, Verdict,
};
use judge_referee::{Overruling, RoundOutline, SetupError};
use judge_sandbox::random_seed;
use judge_sandbox::worker::{PlayReply, PlayTiming, Supervisor, WorkerError};

use self::blame::{FailedAttempt, Failures};
use self::guest::Guest;
use self::processes::{Needs, Processes, first_bot};
use self::references::is_of_references;
use self::remote::{RemotePlayer, RestartablePlayer, engine_failure};
use self::taken_jobs::{BatchSize, TakenJob};
use crate::bounds::{Account, Claim, is_far};
use crate::pool::{
    ArenaError, Believed, CloseOnPanic, Finished, Job, JobStep, PlayedRound, Queue, RemoteResult,
    RemoteRun, Run,
};
use crate::worker;

/// Number of attempts at a round when workers fail.
const TRIES: u32 = 3;

/// The worker processes of one round at a time.
pub(crate) struct Station<'a> {
    run: &'a Run,
    modules: &'a [&'a [u8]],
    processes: Option<Processes>,
    /// Other machines that play instead of worker processes here.
    away: Option<&'a dyn RemoteRun>,
    /// Needs for which no worker could be started, and the reason; not tried again.
    hopeless: Option<(Needs, String)>,
    /// Number of rounds that are played at the same time.
    batch: BatchSize,
}

impl<'a> Station<'a> {
    pub(crate) fn new(run: &'a Run, modules: &'a [&'a [u8]]) -> Station<'a> {
        let batch = BatchSize::default();
        Station { run, modules, processes: None, away: None, hopeless: None, batch }
    }

    /// Sets the machines that play instead.
    pub(crate) fn with(self, away: Option<&'a dyn RemoteRun>) -> Station<'a> {
        Station { away, ..self }
    }

    /// Takes jobs from the queue until all are finished.
    pub(crate) fn work(
        &mut self,
        queue: &Queue<'_>,
        needless: &dyn Fn(usize) -> bool,
        results: &SyncSender<Result<JobStep, ArenaError>>,
    ) {
        let _guard = CloseOnPanic(queue);
        while let Some(first) = queue.next() {
            let mut taken = self.take_jobs(queue, first, needless);
            for next in taken.iter().filter(|next| !next.is_needless) {
                // After an error the receiver is gone; so below.
                if results.send(Ok(JobStep::Begun(next.number))).is_err() {
                    return;
                }
            }
            let needed = taken.iter().filter(|next| !next.is_needless).map(|next| &*next.job);
            let played = match self.play_batch(&needed.collect::<Vec<_>>()) {
                Ok(played) => played,
                Err(error) => {
                    // As above.
                    let _ = results.send(Err(error));
                    return;
                }
            };
            let mut played = played.into_iter();
            while let Some(next) = taken.pop_front() {
                let early = if next.is_needless { None } else { played.next().flatten() };
                let step = self.finish(&next, early);
                let numbers = std::iter::once(&next).chain(&taken).map(|next| next.number);
                if self.cannot_start(&next.job) && queue.give_back(numbers) {
                    return;
                }
                let failed = step.is_err();
                if results.send(step).is_err() || failed {
                    return;
                }
            }
        }
    }

    /// The last step of a taken job, which is played now if it has no early result.
    fn finish(
        &mut self,
        next: &TakenJob<'_>,
        early: Option<PlayedRound>,
    ) -> Result<JobStep, ArenaError> {
        let unplayed = || JobStep::Finished(Finished { job: next.number, played: None });
        if next.is_needless {
            return Ok(unplayed());
        }
        match self.settle(next.number, &next.job, early) {
            // Folding the testcase shows whether it was needed.
            Err(ArenaError::NotPlayed { .. }) if next.is_known => Ok(unplayed()),
            step => step,
        }
    }

    /// The last step of a job with this number: its early result, the outline of its round in the
    /// journal, or else the round, played now.
    ///
    /// # Errors
    /// As [`Station::play`].
    pub(crate) fn settle(
        &mut self,
        number: usize,
        job: &Job,
        early: Option<PlayedRound>,
    ) -> Result<JobStep, ArenaError> {
        let played = match early {
            Some(played) => played,
            None => match self.believed(job)? {
                Some(outline) => {
                    let outline = Box::new(outline);
                    return Ok(JobStep::Believed(Believed { job: number, outline }));
                }
                None => self.play(job)?,
            },
        };
        Ok(JobStep::Finished(Finished { job: number, played: Some(Box::new(played)) }))
    }

    /// True if no worker could be started here for such a job. Another station may succeed: if
    /// memory or processes run out, only the last ones fail.
    pub(crate) fn cannot_start(&self, job: &Job) -> bool {
        self.hopeless.as_ref().is_some_and(|(needs, _)| *needs == Needs::new(job))
    }

    /// The outline of a round in the journal, if the run believes it.
    ///
    /// # Errors
    /// When the round cannot begin at all, the journal fails, or the run was stopped.
    fn believed(&self, job: &Job) -> Result<Option<RoundOutline>, ArenaError> {
        self.run.tables().check(&job.spec)?;
        if self.run.stop().is_asked() {
            return Err(ArenaError::Stopped);
        }
        self.run.believed(&job.spec)
    }

    /// Plays a round, or finds it in the journal. It starts new workers if the current ones have
    /// other modules. The round is stored before it is returned, except if it could not be played:
    /// then the next run tries again.
    ///
    /// # Errors
    /// When the round cannot begin at all, a person or a native program takes part, the journal
    /// fails, or the run was stopped.
    pub(crate) fn play(&mut self, job: &Job) -> Result<PlayedRound, ArenaError> {
        if let Some(seat) = job.spec.human() {
            return Err(SetupError::Human { seat }.into());
        }
        if let Some(seat) = job.spec.native() {
            return Err(SetupError::Native { seat }.into());
        }
        self.run.tables().check(&job.spec)?;
        if self.run.stop().is_asked() {
            return Err(ArenaError::Stopped);
        }
        if let Some((record, outline)) = self.remembered(&job.spec)? {
            let (timing, start_up) = (PlayTiming::default(), Duration::ZERO);
            return Ok(PlayedRound { record, outline, timing, start_up });
        }
        if self.run.is_stored_only() {
            return Err(not_played(&job.spec));
        }
        match self.away {
            Some(away) => self.play_elsewhere(away, job),
            None => self.play_anew(job),
        }
    }

    /// Plays a round on another machine.
    fn play_elsewhere(
        &mut self,
        away: &dyn RemoteRun,
        job: &Job,
    ) -> Result<PlayedRound, ArenaError> {
        let (told, transcript, made) = self.told_elsewhere(away, job)?;
        let record = made?;
        if is_unplayed(&transcript) {
            return self.play_instead(away, job, &told, &record);
        }
        let outline = RoundOutline::new(&record);
        self.charge(job, &told, &transcript, outline.digest);
        self.keep(&record, &outline, &transcript, true)?;
        self.measure_doubtful(away, job)?;
        let (timing, start_up) = (PlayTiming::default(), Duration::ZERO);
        Ok(PlayedRound { record, outline, timing, start_up })
    }

    /// Plays a round here that another machine could not play because of a bot. The emergency
    /// clock, a crash and the compiler depend on the machine, so only this one's result counts.
    fn play_instead(
        &mut self,
        away: &dyn RemoteRun,
        job: &Job,
        told: &RemoteResult,
        record: &RoundRecord,
    ) -> Result<PlayedRound, ArenaError> {
        let played = self.play_anew(job)?;
        let verdicts = [record, &played.record].map(|record| {
            let fault = record.trailer.fault.as_ref();
            fault.filter(|fault| fault.seat.is_some()).map(|fault| fault.verdict)
        });
        let judge_failed = played.record.trailer.fault.as_ref().is_some_and(|f| f.seat.is_none());
        if let Some(machine) = &told.machine
            && verdicts[0] != verdicts[1]
            && !judge_failed
        {
            let why = "it failed on a bot that this machine can play";
            away.expose(&job.spec, machine, why);
        }
        Ok(played)
    }

    /// Another machine's result. The round is played again if the rules make no round from it.
    fn told_elsewhere(&self, away: &dyn RemoteRun, job: &Job) -> Result<AttemptResult, ArenaError> {
        let spec = &job.spec;
        loop {
            let told = away.wait(spec)?;
            let transcript = match &told.played {
                Ok(transcript) => transcript.clone(),
                Err(why) => blame::judge_failed(why.clone()),
            };
            let made = self::record(self.run, spec, &transcript);
            match believable(&made) {
                Err(error) if told.machine.is_some() && told.played.is_ok() => {
                    away.disbelieve(spec, &told, &error.to_string());
                }
                _ => return Ok((told, transcript, made)),
            }
        }
    }

    /// The transcript of a round, played here or on another machine, without using the journal.
    ///
    /// # Errors
    /// When other machines do not return a result.
    pub(crate) fn transcript(&mut self, job: &Job) -> Result<Transcript, ArenaError> {
        if let Some(away) = self.away {
            let (_, transcript, _) = self.told_elsewhere(away, job)?;
            if !is_unplayed(&transcript) {
                return Ok(transcript);
            }
        }
        Ok(self.reply(job, &GivenAnswers::default(), &mut Duration::default()).transcript)
    }

    /// Charges a round from another machine to the bots' submissions. Claimed time is kept
    /// separate, and counts at least as much as the bots' fuel.
    fn charge(&self, job: &Job, told: &RemoteResult, transcript: &Transcript, record: Digest) {
        let calls = transcript.seats.iter().flat_map(|seat| &seat.fuel);
        let fuel_ms = calls.fold(0_u64, |sum, call| sum.saturating_add(*call)) / FUEL_PER_MS;
        for account in job.modules.into_iter().flatten().filter_map(|at| self.run.account(at)) {
            let Some(machine) = &told.machine else {
                account.meter.add(told.processor);
                continue;
            };
            account.claim(Claim {
                spec: job.spec.clone(),
                modules: job.modules,
                record,
                machine: machine.clone(),
                time: told.processor.max(Duration::from_millis(fuel_ms)),
                fuel_ms,
            });
        }
    }

    /// Replays rounds of other machines here, as long as a submission would come near its bound if
    /// their claims were true. Only time measured here refuses a submission.
    fn measure_doubtful(&mut self, away: &dyn RemoteRun, job: &Job) -> Result<(), ArenaError> {
        for module in job.modules.into_iter().flatten() {
            let Some(account) = self.run.account(module) else { continue };
            let _turn = account.turn();
            while let Some(claim) = account.take_doubtful() {
                if self.run.stop().is_asked() {
                    return Err(ArenaError::Stopped);
                }
                self.measure(away, account, &claim);
            }
        }
        Ok(())
    }

    /// Replays a round here on its submission's account, and exposes a machine with another result.
    fn measure(&mut self, away: &dyn RemoteRun, account: &Account, claim: &Claim) {
        let Claim { spec, modules, machine, .. } = claim;
        let (job, before) = (Job { spec: spec.clone(), modules: *modules }, account.meter.used());
        let Reply { reply, end } = self.try_repeatedly(
            &job,
            &GivenAnswers::default(),
            &mut Duration::default(),
            &mut |_| Ok(()),
        );
        // Ending its process completes the measurement.
        self.processes = None;
        let used = account.meter.used().saturating_sub(before);
        if end == AttemptEnd::Judges {
            return;
        }
        let record = self::record(self.run, spec, &reply.transcript);
        if record.is_ok_and(|record| record.digest() != claim.record) {
            away.expose(spec, machine, "a replay gives a different round");
        } else if claim.time > used && is_far(claim.time, used) {
            let [claimed, used] = [claim.time, used].map(|time| time.as_secs_f64());
            let why = format!("it claimed {claimed:.1} s of processor time for {used:.1} s");
            away.expose(spec, machine, &why);
        }
    }

    fn play_anew(&mut self, job: &Job) -> Result<PlayedRound, ArenaError> {
        if is_of_references(&job.spec) {
            return self.play_references(job);
        }
        let mut start_up = Duration::ZERO;
        let mut record = None;
        let Reply { reply, end } =
            self.try_repeatedly(job, &GivenAnswers::default(), &mut start_up, &mut |reply| {
                let made = self::record(self.run, &job.spec, &reply.transcript);
                let truth = believable(&made);
                record = Some(made);
                truth
            });
        let record = match record.filter(|_| end == AttemptEnd::Played) {
            Some(record) => record?,
            None => self::record(self.run, &job.spec, &reply.transcript)?,
        };
        let outline = RoundOutline::new(&record);
        self.keep(&record, &outline, &reply.transcript, end == AttemptEnd::Blamed)?;
        Ok(PlayedRound { record, outline, timing: reply.timing, start_up })
    }

    /// Stores a round in the journal, except a failure of the judge, and a round that never began
    /// because the submission as a whole is refused.
    fn keep(
        &self,
        record: &RoundRecord,
        outline: &RoundOutline,
        transcript: &Transcript,
        maybe_not_begun: bool,
    ) -> Result<(), ArenaError> {
        let fault = record.trailer.fault.as_ref();
        if let Some(stored) = self.run.rounds()
            && !(maybe_not_begun && self.is_told_of_submission(fault))
            && fault.is_none_or(|fault| fault.seat.is_some())
        {
            stored.add(&record.header.spec, outline, transcript)?;
        }
        Ok(())
    }

    /// True in a grading for a module that cannot be compiled: the grading refuses the submission
    /// as a whole, and stores this fault with none of its rounds.
    fn is_told_of_submission(&self, fault: Option<&Fault>) -> bool {
        let invalid = fault.is_some_and(|fault| fault.verdict == Verdict::InvalidModule);
        invalid && self.run.has_accounts()
    }

    /// The record of a round in the journal. The rules make it again from the transcript.
    fn remembered(
        &self,
        spec: &RoundSpec,
    ) -> Result<Option<(RoundRecord, RoundOutline)>, ArenaError> {
        let Some(stored) = self.run.rounds() else { return Ok(None) };
        let Some((transcript, digest)) = stored.find(spec)? else { return Ok(None) };
        let record = record(self.run, spec, &transcript)?;
        let outline = RoundOutline::new(&record);
        if outline.digest == digest {
            return Ok(Some((record, outline)));
        }
        let what = format!("replaying it gives a different round: seed `{}`", spec.seed);
        Err(stored.contradicted(what).into())
    }

    /// Plays a round with given answers in place of the players'.
    ///
    /// # Errors
    /// When the round cannot begin at all, or the run was stopped.
    pub(crate) fn play_given(
        &mut self,
        job: &Job,
        given: &GivenAnswers,
    ) -> Result<RoundRecord, ArenaError> {
        self.run.tables().check(&job.spec)?;
        if self.run.stop().is_asked() {
            return Err(ArenaError::Stopped);
        }
        let (run, mut record) = (self.run, None);
        let make = |transcript: &Transcript| -> Result<RoundRecord, SetupError> {
            let round = judge_referee::retrace_given(&job.spec, transcript, Some(given))?;
            Ok(round.into_record(&job.spec, run.pool().fingerprint().clone(), transcript))
        };
        let Reply { reply, end } =
            self.try_repeatedly(job, given, &mut Duration::default(), &mut |reply| {
                let made = make(&reply.transcript);
                let truth = believable(&made);
                record = Some(made);
                truth
            });
        match record.filter(|_| end == AttemptEnd::Played) {
            Some(record) => Ok(record?),
            None => Ok(make(&reply.transcript)?),
        }
    }

    /// Plays a round with these given answers.
    pub(crate) fn reply(
        &mut self,
        job: &Job,
        given: &GivenAnswers,
        start_up: &mut Duration,
    ) -> PlayReply {
        self.try_repeatedly(job, given, start_up, &mut |_| Ok(())).reply
    }

    /// Repeats a round until it is played, the fault is clear, or the attempts are used up.
    fn try_repeatedly(
        &mut self,
        job: &Job,
        given: &GivenAnswers,
        start_up: &mut Duration,
        believe: &mut dyn FnMut(&PlayReply) -> Result<(), WorkerError>,
    ) -> Reply {
        let mut failures = Failures::default();
        let mut last = WorkerError::Failed("never tried".to_owned());
        let (mut never_started, mut careful) = (true, false);
        for _ in 0..TRIES {
            let failed = match self.try_once(job, given, careful, start_up, believe) {
                Ok(reply) => return Reply { reply, end: AttemptEnd::Played },
                Err(failed) => failed,
            };
            let processes = self.processes.take();
            if failed.may_be_the_bots() {
                self.distrust_code(job);
            }
            if let Some(transcript) =
                failures.take(&failed, processes.is_none_or(|processes| processes.fresh))
            {
                return Reply::failed(transcript, AttemptEnd::Blamed);
            }
            // From now on a bot's process holds only the bot.
            careful |= failed.in_play;
            never_started &= !failed.in_play;
            last = failed.error;
            if matches!(last, WorkerError::Spent | WorkerError::Hopeless(_)) {
                never_started = false;
                break;
            }
        }
        if never_started {
            self.hopeless = Some((Needs::new(job), last.to_string()));
        }
        Reply::failed(blame::judges(&last), AttemptEnd::Judges)
    }

    /// Makes the next attempt compile the bots again, instead of using cached machine code.
    fn distrust_code(&self, job: &Job) {
        for module in job.modules.into_iter().flatten() {
            self.run.pool().compiler().distrust(self.modules[module]);
        }
    }

    fn try_once(
        &mut self,
        job: &Job,
        given: &GivenAnswers,
        careful: bool,
        start_up: &mut Duration,
        believe: &mut dyn FnMut(&PlayReply) -> Result<(), WorkerError>,
    ) -> Result<PlayReply, FailedAttempt> {
        let deadline = self.run.pool().deadline(&job.spec);
        let run = self.run;
        let processes = self.ready(job, deadline, start_up)?;
        let bots = job.modules.iter().flatten().count();
        let reply = match first_bot(job) {
            Some(_) if bots == 2 || careful => {
                line_by_line(run, processes.bots(job), job, given, deadline, None)?
            }
            seat => one_process(processes, job, seat, given, deadline)?,
        };
        let seat = first_bot(job).filter(|_| bots == 1);
        believe(&reply).map_err(|error| FailedAttempt {
            error,
            seat,
            in_play: true,
            alone: careful,
        })?;
        processes.fresh = false;
        Ok(reply)
    }

    /// The workers for a round; starts new ones if necessary.
    fn ready(
        &mut self,
        job: &Job,
        deadline: Duration,
        start_up: &mut Duration,
    ) -> Result<&mut Processes, FailedAttempt> {
        if let Some((hopeless, reason)) = &self.hopeless
            && *hopeless == Needs::new(job)
        {
            return Err(FailedAttempt::unblamed(WorkerError::Hopeless(reason.clone()), false));
        }
        if self.processes.as_ref().is_none_or(|processes| !processes.fits(job, deadline)) {
            let begin = Instant::now();
            // The old workers end before new ones start.
            self.processes = None;
            let started = Processes::start(self.run, self.modules, job, deadline);
            *start_up += begin.elapsed();
            self.processes = Some(started?);
        }
        self.processes.as_mut().ok_or_else(FailedAttempt::of_no_worker)
    }
}

/// The end of all attempts at a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AttemptEnd {
    /// It was played.
    Played,
    /// The bot is at fault that it cannot be played.
    Blamed,
    /// The judge failed.
    Judges,
}

/// Final result of a round.
struct Reply {
    reply: PlayReply,
    end: AttemptEnd,
}

impl Reply {
    fn failed(transcript: Transcript, end: AttemptEnd) -> Reply {
        Reply { reply: PlayReply { transcript, timing: PlayTiming::default() }, end }
    }
}

/// Plays a round with at most one bot completely in that bot's process.
fn one_process(
    processes: &mut Processes,
    job: &Job,
    seat: Option<Seat>,
    given: &GivenAnswers,
    deadline: Duration,
) -> Result<PlayReply, FailedAttempt> {
    let failed = |error| FailedAttempt { error, seat, in_play: true, alone: false };
    let worker = processes.worker(job, seat.unwrap_or(Seat::One));
    let worker = worker.ok_or_else(|| failed(WorkerError::Failed("no worker".to_owned())))?;
    let reply = worker.play(&job.spec, seat, given, deadline).map_err(failed)?;
    match &reply.transcript.fault {
        // The engine failed around the bot.
        Some(fault) if fault.seat.is_none() => Err(failed(engine_failure(fault.detail.clone()))),
        _ => Ok(reply),
    }
}

/// Plays a round with each bot in its own process, and the referee and the judge's players here.
fn line_by_line(
    run: &Run,
    workers: [Option<&mut Supervisor>; 2],
    job: &Job,
    given: &GivenAnswers,
    deadline: Duration,
    mut guest: Option<Guest<'_>>,
) -> Result<PlayReply, FailedAttempt> {
    let begin = Instant::now();
    let spec = &job.spec;
    let mut bots =
        workers.map(|worker| worker.map(|worker| RemotePlayer::new(worker, spec.limits, deadline)));
    for (seat, bot) in std::iter::zip(Seat::BOTH, &mut bots) {
        let begun = bot.as_mut().map(|bot| bot.begin(seat, random_seed(spec.seed, seat)));
        let failed = |error| FailedAttempt { error, seat: Some(seat), in_play: true, alone: true };
        begun.transpose().map_err(failed)?;
    }
    let judges = |error: String| FailedAttempt::unblamed(WorkerError::Failed(error), true);
    let script = judge_referee::answers(&given.answers);
    let mut own = |seat| match guest.take_if(|guest| guest.seat == seat) {
        Some(guest) => Ok(Box::new(guest) as Box<dyn Player + '_>),
        None => worker::player(spec, seat, None, &script, run.tables()),
    };
    let bots = bots.map(|bot| bot.map(RefCell::new));
    let mut seated = |seat: Seat| match &bots[seat.index()] {
        Some(bot) => Ok(Box::new(RestartablePlayer(bot)) as Box<dyn Player + '_>),
        None => own(seat),
    };
    let mut one = seated(Seat::One).map_err(judges)?;
    let mut two = seated(Seat::Two).map_err(judges)?;
    let mut again = |seat: Seat, spent: u64| match &bots[seat.index()] {
        Some(bot) => {
            let random = random_seed(spec.seed, seat);
            let bot = RestartablePlayer::again(bot, seat, random, spent);
            Some(Box::new(bot) as Box<dyn Player + '_>)
        }
        None => worker::player(spec, seat, None, &script, run.tables()).ok(),
    };
    let given = Overruling { answers: given, again: &mut again };
    let transcript = judge_referee::sit_down(spec, [one.as_mut(), two.as_mut()], Some(given))
        .map_err(|error| judges(error.to_string()))?;
    drop((one, two));
    let mut bot_ns = 0_u64;
    for (seat, bot) in std::iter::zip(Seat::BOTH, bots) {
        let Some(bot) = bot.map(RefCell::into_inner) else { continue };
        bot_ns = bot_ns.saturating_add(bot.bot_ns);
        if let Some(error) = bot.failure {
            return Err(FailedAttempt { error, seat: Some(seat), in_play: true, alone: true });
        }
    }
    let total_ns = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
    Ok(PlayReply { transcript, timing: PlayTiming { total_ns, bot_ns } })
}

fn record(run: &Run, spec: &RoundSpec, transcript: &Transcript) -> Result<RoundRecord, SetupError> {
    judge_referee::record(spec, run.pool().fingerprint().clone(), transcript)
}

/// Another machine's result, its transcript, and the record that the rules make from it.
type AttemptResult = (RemoteResult, Transcript, Result<RoundRecord, SetupError>);

/// True if nothing was played and a bot is at fault: its module cannot be compiled, the emergency
/// clock stopped it, or its process crashed.
fn is_unplayed(transcript: &Transcript) -> bool {
    let is_the_bots = transcript.fault.as_ref().is_some_and(|fault| fault.seat.is_some());
    is_the_bots && transcript.seats == BySeat::default()
}

/// Checks that the rules can make a round from a worker's reply.
fn believable(record: &Result<RoundRecord, SetupError>) -> Result<(), WorkerError> {
    let fault = record.as_ref().ok().and_then(|record| record.trailer.fault.as_ref());
    match fault {
        Some(fault) if fault.seat.is_none() => {
            Err(WorkerError::Impossible(fault.detail.to_string()))
        }
        _ => Ok(()),
    }
}

fn not_played(spec: &RoundSpec) -> ArenaError {
    let seats = spec.seats.each_ref().map(SeatSpec::name).join(" against ");
    ArenaError::NotPlayed { game: spec.game.clone(), seed: spec.seed, seats }
}
