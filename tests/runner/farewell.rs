//! A bot that fails on the final message forfeits the round, and the score is kept.

use judge_arena::{Pair, PairRound, PairTally, Pairing, round, row};
use judge_core::{Fault, Limits, Options, RoundRecord, Seat, SeatSpec, Seed, Verdict, digest};
use judge_referee::{RoundOutline, transcript_of};

use crate::support::sample;
use crate::workers;

/// The bot as the first player, against a reference opponent.
fn pairing(module: &[u8]) -> Pairing {
    let bot = SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(module) };
    Pairing {
        game: "mahjong".to_owned(),
        options: Options::new(),
        seed: Seed(1),
        limits: Limits::COURSE,
        players: [bot, SeatSpec::Reference { name: "random".to_owned() }],
        modules: [Some(0), None],
    }
}

/// The same round, except that the bot traps at its last line.
fn trapping_at_the_end(seat: Seat, record: &RoundRecord) -> RoundRecord {
    let mut transcript = transcript_of(record);
    let call = record.calls.iter().rposition(|call| call.seat == seat).unwrap();
    assert!(record.calls[call].line.starts_with("end "), "{:?}", record.calls[call]);
    transcript.seat_mut(seat).fuel.pop();
    let (verdict, detail) = (Verdict::RuntimeError, "trap".into());
    let call = Some(u32::try_from(call).unwrap());
    transcript.fault = Some(Fault { seat: Some(seat), verdict, detail, call });
    let header = &record.header;
    judge_referee::record(&header.spec, header.fingerprint.clone(), &transcript).unwrap()
}

#[test]
fn a_bot_that_fails_at_the_farewell_loses_the_round_but_keeps_its_score() {
    let module = std::fs::read(sample("mahjong-distance")).unwrap();
    let (pairing, run) = (pairing(&module), workers().run());
    let records = Seat::BOTH.map(|seat| {
        let job = pairing.job(0, seat);
        run.play(&[&module], &job).unwrap().record
    });
    let pair = |rounds| Pair { number: 0, seed: Seed(1), rounds };
    let sum = |pair: &Pair| {
        let mut tally = PairTally::default();
        tally.add(pair, 0);
        (tally.evidence.difference().value, tally.table.results(), tally.faults_of(0))
    };
    let [one, two] =
        [0, 1].map(|at| PairRound::new(Seat::BOTH[at], &RoundOutline::new(&records[at])));
    let played = pair([one.clone(), two.clone()]);
    assert!(one.difference() + two.difference() != 0, "there is something to lose");

    let failed = [0, 1].map(|at| {
        let seat = Seat::BOTH[at];
        let record = trapping_at_the_end(seat, &records[at]);
        let trailer = &record.trailer;
        assert_eq!(trailer.outcome.winner, Some(seat.other()), "the record is that of a forfeit");
        assert_ne!(trailer.outcome.scores, records[at].trailer.outcome.scores);
        PairRound::new(seat, &RoundOutline::new(&record))
    });
    assert_eq!(
        [failed[0].difference(), failed[1].difference()],
        [one.difference(), two.difference()]
    );
    let (difference, results, faults) = sum(&pair(failed.clone()));
    assert_eq!((difference, results, faults), (sum(&played).0, [0, 0, 2], 2));

    let place = judge_arena::RowPlace {
        round: 1,
        meeting: 1,
        pair: Some(1),
        opening: String::new(),
        counts: true,
    };
    let row = row(place, &pairing.job(0, Seat::One).spec, &failed[0]);
    let again = round(&row).unwrap();
    assert_eq!(again.outcome, failed[0].outcome, "added up again it is the same");
}
