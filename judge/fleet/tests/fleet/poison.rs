//! A round that kills each machine that plays it.

use std::time::Duration;

use judge_arena::{Run, grade};
use judge_core::{BotReport, IgnoreEvents};
use judge_fleet::Terms;
use judge_grading::Suite;
use judge_runner::bots;
use rustix::process::Signal;

use crate::need;
use crate::scene::{LEASE, Scene, sample, suite, terms};

/// Batches with the seed that kills, and their holders.
const DEADLY: &str = "SELECT COUNT(*) FROM judge_fleet.batch \
    WHERE rounds LIKE '%[0,3]%' AND lease_until > now() AND holder = ";

#[test]
fn a_round_that_kills_every_machine_is_a_judge_error() {
    let scene = need!(Scene::new());
    // The batch with the deadly round lasts, so that its machine can be killed.
    scene.sql(
        "CREATE FUNCTION judge_fleet.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         IF EXISTS (SELECT 1 FROM judge_fleet.batch b WHERE b.id = NEW.batch \
                    AND b.rounds LIKE '%[0,3]%') THEN PERFORM pg_sleep(120); END IF; \
         RETURN NEW; END $$; \
         CREATE TRIGGER slow BEFORE INSERT ON judge_fleet.outcome \
         FOR EACH ROW EXECUTE FUNCTION judge_fleet.slow();",
    );
    let run = scene.run(Terms { ahead: Some(4), ..terms() });
    let report = std::thread::scope(|scope| {
        let graded = scope.spawn(|| graded(&run));
        let mut killed = 0;
        while !graded.is_finished() {
            killed += 1;
            assert!(killed < 20, "the grading does not end");
            let mut machine = scene.machine(killed);
            let deadly = format!("{DEADLY}'machine-{killed}'");
            while scene.number(&deadly) == 0 && !graded.is_finished() {
                std::thread::sleep(Duration::from_millis(20));
            }
            if !graded.is_finished() {
                machine.signal(Signal::KILL);
            }
            std::thread::sleep(Duration::from_millis(200 + 1000 * LEASE));
        }
        graded.join().unwrap()
    });
    assert_eq!(report.judge_errors(), 1, "{report:?}");
    let case = &report.testcases[0];
    assert!(case.detail.contains("3 machines were lost while they played it"), "{case:?}");
    assert_eq!(case.rounds.len(), 8);
}

fn graded(run: &Run) -> BotReport {
    let suite = suite(8);
    let only = Suite { testcases: suite.testcases[..1].to_vec(), ..suite };
    let module = std::fs::read(sample("mahjong-distance")).unwrap();
    let bot = bots::submission("mahjong-distance", module, &only);
    let mut report = grade(run, &only, &[bot], &mut IgnoreEvents).unwrap();
    report.bots.remove(0)
}
