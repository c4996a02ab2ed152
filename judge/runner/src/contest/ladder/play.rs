//! A pair of a ladder: two rounds on one seed, with the seats swapped in the second.

use judge_arena::{ArenaError, PairRound, Pairing, RoundOutline, Run};
use judge_core::{
    Fault, FaultDetail, Limits, Options, RoundRecord, Seat, SeatSpec, Seed, Verdict, digest,
};

use crate::contest::start_key;

/// Limits of a bot in a round of a ladder: the usual ones, but without a log, because others can
/// watch.
pub const LIMITS: Limits = Limits { log_bytes: 0, ..Limits::COURSE };

/// A player of a pair.
#[derive(Debug, Clone)]
pub struct LadderPlayer {
    /// The name of the reference opponent or bot.
    pub name: String,
    /// The bot's module; none for a reference opponent.
    pub module: Option<Vec<u8>>,
}

/// A pair to play.
#[derive(Debug, Clone)]
pub struct LadderPair {
    /// The game.
    pub game: String,
    /// Rule switches that differ from the defaults.
    pub options: Options,
    /// The seed of both rounds.
    pub seed: Seed,
    /// The players. The first player has seat 1 in the first round and seat 2 in the second.
    pub players: [LadderPlayer; 2],
}

/// A pair that was played.
#[derive(Debug)]
pub struct PlayedPair {
    /// Hash of the start, which is equal for pairs that start alike.
    pub start: u64,
    /// Both rounds.
    pub rounds: [PairRound; 2],
    /// The public records of the rounds, without details of traps.
    pub records: [RoundRecord; 2],
    /// Details of the fault for the author, for each round that ended with one.
    pub details: [Option<String>; 2],
}

/// Plays a pair. A round in which the judge failed has a record, too.
///
/// # Errors
/// If a round cannot begin, or the run was stopped.
pub fn play(run: &Run, pair: &LadderPair) -> Result<PlayedPair, ArenaError> {
    let modules: Vec<&[u8]> =
        pair.players.iter().filter_map(|player| player.module.as_deref()).collect();
    let pairing = pairing(pair);
    let jobs = Seat::BOTH.map(|seat| pairing.job(0, seat));
    let mut records: [Option<RoundRecord>; 2] = [None, None];
    run.play_all(&modules, &jobs, &|_| false, &mut |done| {
        records[done.job] = done.played.map(|played| played.record);
    })?;
    let [Some(one), Some(two)] = records else { return Err(ArenaError::Stopped) };
    let records = [one, two];
    let game = judge_referee::find(&pair.game)?;
    let details = records
        .each_ref()
        .map(|record| record.trailer.fault.as_ref().map(|fault| fault.detail.to_string()));
    let records = records.map(public);
    let rounds = [0, 1].map(|at| PairRound::new(Seat::BOTH[at], &RoundOutline::new(&records[at])));
    Ok(PlayedPair { start: start_key(game, &pairing), rounds, records, details })
}

fn pairing(pair: &LadderPair) -> Pairing {
    let mut next = 0;
    let places = pair.players.each_ref().map(|player| {
        player.module.as_ref().map(|_| {
            next += 1;
            next - 1
        })
    });
    Pairing {
        game: pair.game.clone(),
        options: pair.options.clone(),
        seed: pair.seed,
        limits: LIMITS,
        players: pair.players.each_ref().map(|player| match &player.module {
            Some(module) => SeatSpec::Bot { name: player.name.clone(), sha256: digest(module) },
            None => SeatSpec::Reference { name: player.name.clone() },
        }),
        modules: places,
    }
}

/// Returns the public record. The reason why an answer is wrong stays, because every reader can see
/// the answer. Events inside a module are only for its author.
fn public(mut record: RoundRecord) -> RoundRecord {
    hide_inside(&mut record.trailer.fault);
    record
}

/// Removes the details of a fault that only its author may see: events inside a module.
pub fn hide_inside(fault: &mut Option<Fault>) {
    if let Some(fault) = fault
        && fault.seat.is_some()
        && matches!(fault.verdict, Verdict::RuntimeError | Verdict::InvalidModule)
    {
        fault.detail = FaultDetail::from(fault.verdict.label());
    }
}

#[cfg(test)]
mod tests {
    use judge_core::Fingerprint;

    use super::*;

    #[test]
    fn a_published_record_has_no_trace_and_still_verifies() {
        let seats =
            ["random", "random"].map(|name| LadderPlayer { name: name.to_owned(), module: None });
        let [one, _] = seats.clone();
        let bot = LadderPlayer { name: "bot".to_owned(), module: Some(b"x".to_vec()) };
        let pair = LadderPair {
            game: "cc".to_owned(),
            options: Options::new(),
            seed: Seed(5),
            players: [bot, one],
        };
        let spec = pairing(&pair).job(0, Seat::One).spec;
        assert_eq!(spec.limits.log_bytes, 0);
        let fault = Fault {
            seat: Some(Seat::One),
            verdict: Verdict::RuntimeError,
            detail: "`unreachable` in `secret_plan`".into(),
            call: Some(0),
        };
        let transcript = judge_core::Transcript { fault: Some(fault), ..Default::default() };
        let print = Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() };
        let record = judge_referee::record(&spec, print, &transcript).expect("a record");
        assert!(record.to_replay().contains("secret_plan"));
        let shown = public(record);
        assert!(!shown.to_replay().contains("secret_plan"));
        let again = judge_referee::transcript_of(&shown);
        let print = shown.header.fingerprint.clone();
        assert_eq!(judge_referee::record(&spec, print, &again).expect("a record"), shown);
    }
}
