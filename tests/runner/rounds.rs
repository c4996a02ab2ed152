//! Lists of a run's rounds, without a command line.

use judge_core::{IgnoreEvents, RoundRow, SeatResult};
use judge_report::{RoundFilter, RoundFormat};
use judge_runner::contest::ContestRequest;
use judge_runner::contest::match_bots;
use judge_runner::rounds;

use crate::workers;

#[test]
fn rounds_of_a_journal_are_written_to_any_writer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal");
    let game = Some("mahjong".to_owned());
    let journal = Some(file.clone());
    let contest = ContestRequest { game, seed: Some(1), journal, ..ContestRequest::default() };
    let players = ["straightforward", "random"].map(str::to_owned);
    let request = match_bots::Request { contest, ..match_bots::Request::new(players, 20) };
    match_bots::run(&request, &workers(), &mut IgnoreEvents).unwrap();

    let filter = RoundFilter { result: Some(SeatResult::Win), ..RoundFilter::default() };
    let list = |filter: RoundFilter, worst| {
        let request = rounds::Request { file: file.clone(), filter, worst };
        let listing = rounds::run(&request).unwrap();
        assert_eq!(listing.remark(), None, "it was played to its end");
        let mut out = Vec::new();
        let count = listing.write(RoundFormat::JsonLines, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let rows: Vec<RoundRow> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len() as u64, count);
        rows
    };
    let all = list(RoundFilter::default(), None);
    assert_eq!(all.len(), 20);
    let won = list(filter, None);
    assert!(!won.is_empty() && won.len() < 20, "{}", won.len());
    assert!(won.iter().all(|row| row.result == SeatResult::Win));
    let worst = list(RoundFilter::default(), Some(3));
    assert_eq!(worst.len(), 3);
    assert!(worst[0].worst_first(worst[0].a) <= worst[1].worst_first(worst[1].a));
}
