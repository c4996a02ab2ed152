//! The bound on a submission's processor time: the same verdicts as without machines, whatever they
//! claim.

use std::time::Duration;

use judge_arena::{Bounds, Run, grade, transcript_to_json};
use judge_core::{Fault, GradeReport, IgnoreEvents, Seat, Transcript, Verdict};
use judge_fleet::Terms;
use judge_grading::Suite;
use judge_runner::bots;

use crate::need;
use crate::scene::{Scene, run_here, terms};

/// A testcase with ten rounds in the first seat.
fn suite() -> Suite {
    let case = "title = 'x'\ngame = 'mahjong'\nopponent = 'random'\nseat = 1\n\
                seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\nmin_score = 100\npoints = 10\n";
    Suite::from_files("small", [("suite.toml", "title = 'Small'"), ("1.toml", case)]).unwrap()
}

/// A bot with a start of tens of milliseconds on any machine, because a system counts in ticks of
/// ten, and half of the fuel for it: each load waits for the one before. It never answers with a
/// move.
fn slow_to_start(turns: u32) -> Vec<u8> {
    let loads = "(i32.load ".repeat(64);
    let ends = ")".repeat(64);
    let module = format!(
        r#"(module (memory (export "memory") 1)
        (func (export "judge_buffer") (result i32) (local $turn i32) (local $at i32)
            (loop $more
                (local.set $turn (i32.add (local.get $turn) (i32.const 1)))
                (local.set $at {loads}(local.get $at){ends})
                (br_if $more (i32.lt_u (local.get $turn) (i32.const {turns}))))
            i32.const 1024)
        (func (export "judge_line") (param i32) (result i32) i32.const 0))"#
    );
    wat::parse_str(module).unwrap()
}

/// The reports of two bots that may use this much processor time each.
fn graded(run: &Run, processor: Duration) -> GradeReport {
    let suite = suite();
    let bounds = Some(Bounds { processor, journal_bytes: 1 << 30 });
    let submission = |turns| bots::submission("slow", slow_to_start(turns), &suite);
    let submissions = [400_000, 400_001].map(submission);
    grade(&run.clone().with_bounds(bounds), &suite, &submissions, &mut IgnoreEvents).unwrap()
}

/// Digests and refusals.
fn verdicts(report: &GradeReport) -> Vec<(String, Option<Verdict>)> {
    let verdict = |bot: &judge_core::BotReport| {
        (bot.digest.to_string(), bot.refused.as_ref().map(|refused| refused.verdict))
    };
    report.bots.iter().map(verdict).collect()
}

/// Far below what these bots need.
const LOW: Duration = Duration::from_millis(1);

/// Far above it.
const HIGH: Duration = Duration::from_secs(300);

#[test]
fn a_bound_gives_the_same_verdicts_locally_and_on_machines() {
    let scene = need!(Scene::new());
    let _machine = scene.machine(1);
    for bound in [LOW, HIGH] {
        let here = verdicts(&graded(&run_here(), bound));
        let there = verdicts(&graded(&scene.run(terms()), bound));
        assert_eq!(there, here, "{bound:?}");
        let expected = (bound == LOW).then_some(Verdict::TimeLimitExceeded);
        assert!(here.iter().all(|(_, refused)| *refused == expected), "{here:?}");
    }
    assert_eq!(scene.count("alarm"), 0, "it was honest");
}

/// Makes the machine claim `us` more microseconds for each round.
fn claim(scene: &Scene, us: &str) {
    scene.sql(&format!(
        "CREATE FUNCTION judge_fleet.lie() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         IF NEW.machine = 'machine-1' THEN \
         NEW.told := regexp_replace(NEW.told, '\"us\":[0-9]+', '\"us\":{us}', 'g'); \
         END IF; RETURN NEW; END $$; \
         CREATE TRIGGER lie BEFORE INSERT ON judge_fleet.outcome \
         FOR EACH ROW EXECUTE FUNCTION judge_fleet.lie();"
    ));
}

#[test]
fn a_false_claim_is_found_and_refuses_no_submission() {
    let scene = need!(Scene::new());
    claim(&scene, "900000000");
    let here = verdicts(&graded(&run_here(), HIGH));
    let _liar = scene.machine(1);
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| verdicts(&graded(&scene.run(terms()), HIGH)));
        scene.wait_for("SELECT COUNT(*) FROM judge_fleet.alarm");
        let _honest = scene.machine(2);
        assert_eq!(graded.join().unwrap(), here);
    });
    let alarm = &scene.status().alarms[0];
    assert_eq!(alarm.machine, "machine-1");
    assert!(alarm.what.contains("it claimed 900.0 s of processor time"), "{alarm:?}");
}

#[test]
fn a_bot_that_fails_only_on_a_machine_is_played_locally() {
    let scene = need!(Scene::new());
    let (seat, verdict) = (Some(Seat::One), Verdict::TimeLimitExceeded);
    let fault = Fault { seat, verdict, detail: "by the clock".to_owned().into(), call: None };
    let told = transcript_to_json(&Transcript { fault: Some(fault), ..Transcript::default() });
    scene.sql(&format!(
        "CREATE FUNCTION judge_fleet.lie() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         NEW.told := (SELECT json_agg(json_build_object('us', 1, 'took', 1, 'played', \
         '{told}'::text)) FROM json_array_elements(NEW.told::json)); \
         RETURN NEW; END $$; \
         CREATE TRIGGER lie BEFORE INSERT ON judge_fleet.outcome \
         FOR EACH ROW EXECUTE FUNCTION judge_fleet.lie();"
    ));
    let here = verdicts(&graded(&run_here(), HIGH));
    // The first batch's false claim is found here; other machines play the rest.
    let _liar = scene.machine(1);
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| verdicts(&graded(&scene.run(terms()), HIGH)));
        scene.wait_for("SELECT COUNT(*) FROM judge_fleet.alarm");
        scene.sql("DROP TRIGGER lie ON judge_fleet.outcome");
        let _honest = scene.machine(2);
        assert_eq!(graded.join().unwrap(), here);
    });
    let alarm = &scene.status().alarms[0];
    assert!(alarm.what.contains("this machine can play"), "{alarm:?}");
}

#[test]
fn an_audit_finds_a_false_claim_far_from_every_bound() {
    let scene = need!(Scene::new());
    claim(&scene, "60000000");
    let _machines = [scene.machine(1), scene.machine(2)];
    let terms = Terms { audit: 1.0, patience: Duration::from_millis(100), ..terms() };
    let all = Duration::from_secs(1_000_000);
    let here = verdicts(&graded(&run_here(), all));
    assert_eq!(verdicts(&graded(&scene.run(terms), all)), here);
    let alarm = &scene.status().alarms[0];
    assert_eq!(alarm.machine, "machine-1");
    assert!(alarm.what.contains("s of processor time for rounds that take"), "{alarm:?}");
}
