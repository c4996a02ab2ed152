//! Machines that report false results. A liar is a real machine with a trigger in the database that
//! changes its reports.

use std::time::Duration;

use judge_fleet::Terms;

use crate::need;
use crate::scene::{Scene, graded_here, terms};

/// Machine 1's reports of its rounds are changed on the way.
fn make_a_liar(scene: &Scene, change: &str) {
    scene.sql(&format!(
        "CREATE FUNCTION judge_fleet.lie() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         IF NEW.machine = 'machine-1' THEN NEW.told := {change}; END IF; \
         RETURN NEW; END $$; \
         CREATE TRIGGER lie BEFORE INSERT ON judge_fleet.outcome \
         FOR EACH ROW EXECUTE FUNCTION judge_fleet.lie();"
    ));
}

/// A false use of fuel, which the rules cannot detect.
const OTHER_FUEL: &str = r#"regexp_replace(NEW.told, 'fuel\\":\[(\d+)', 'fuel\\":[1\1', 'g')"#;

/// No answers and no fault: not a valid round.
const NO_ANSWERS: &str =
    r#"regexp_replace(NEW.told, 'answers\\":\[[^]]*\]', 'answers\\":[]', 'g')"#;

fn all_audited() -> Terms {
    Terms { audit: 1.0, ..terms() }
}

#[test]
fn a_second_machine_finds_a_lying_one() {
    let scene = need!(Scene::new());
    make_a_liar(&scene, OTHER_FUEL);
    let (mut liar, _honest) = (scene.machine(1), scene.machine(2));
    let graded = std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_on(all_audited(), &crate::scene::suite(40)));
        scene.wait_for("SELECT COUNT(*) FROM judge_fleet.alarm");
        // A third machine replaces the liar.
        let _third = scene.machine(3);
        graded.join().unwrap()
    });
    assert_eq!(graded, graded_here());
    assert_exposed(&scene, "its rounds differ from those that the judge played itself");
    while !liar.has_ended() {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(scene.log_of(1).contains("is not trusted any more"), "{}", scene.log_of(1));
}

#[test]
fn the_run_finds_a_lying_machine_without_a_second_one() {
    let scene = need!(Scene::new());
    make_a_liar(&scene, OTHER_FUEL);
    let _liar = scene.machine(1);
    let terms = Terms { patience: Duration::from_millis(100), ..all_audited() };
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_on(terms, &crate::scene::suite(40)));
        scene.wait_for("SELECT COUNT(*) FROM judge_fleet.alarm");
        let _honest = scene.machine(2);
        assert_eq!(graded.join().unwrap(), graded_here());
    });
}

#[test]
fn the_rules_find_impossible_rounds() {
    let scene = need!(Scene::new());
    make_a_liar(&scene, NO_ANSWERS);
    let _liar = scene.machine(1);
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_elsewhere());
        scene.wait_for("SELECT COUNT(*) FROM judge_fleet.alarm");
        let _honest = scene.machine(2);
        assert_eq!(graded.join().unwrap(), graded_here());
    });
    assert_exposed(&scene, "the rules reject the round that it reported");
}

#[test]
fn unreadable_results_are_played_again() {
    let scene = need!(Scene::new());
    make_a_liar(&scene, "'no JSON'");
    let _liar = scene.machine(1);
    std::thread::scope(|scope| {
        let graded = scope.spawn(|| scene.graded_elsewhere());
        scene.wait_for("SELECT COUNT(*) FROM judge_fleet.alarm");
        let _honest = scene.machine(2);
        assert_eq!(graded.join().unwrap(), graded_here());
    });
    assert_exposed(&scene, "cannot be read");
}

#[test]
fn honest_machines_confirm_each_other() {
    let scene = need!(Scene::new());
    let _machines = [scene.machine(1), scene.machine(2)];
    assert_eq!(scene.graded_on(all_audited(), &crate::scene::suite(40)), graded_here());
    assert_eq!(scene.count("alarm"), 0);
}

fn assert_exposed(scene: &Scene, why: &str) {
    let status = scene.status();
    let alarm = &status.alarms[0];
    assert_eq!(alarm.machine, "machine-1");
    assert!(alarm.what.contains(why), "{alarm:?}");
    assert_eq!(alarm.played_for, ["a test"]);
    assert!(status.machines[0].distrusted.is_some() && status.machines[1].distrusted.is_none());
}
