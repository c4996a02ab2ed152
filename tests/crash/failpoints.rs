//! The judge dies at each of its named places: `cargo test --features failpoints --test crash`.

use std::collections::BTreeSet;
use std::path::Path;

use crate::course::{Course, results};
use crate::support::root;

/// The names in the sources, so that none is forgotten.
fn names(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            names(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for rest in text.split("failpoint::reach(\"").skip(1) {
                found.extend(rest.split('"').next().map(str::to_owned));
            }
        }
    }
}

#[test]
fn a_judge_that_dies_at_a_named_place_goes_on_to_the_same_results() {
    let course = Course::new();
    let expected = course.undisturbed();
    let mut found = BTreeSet::new();
    for room in ["judge/arena/src", "judge/cli"] {
        names(&root().join(room), &mut found);
    }
    assert!(found.len() >= 6, "{found:?}");
    for name in &found {
        for time in [1, 2, 7] {
            let out = course.out(&format!("{name}-{time}"));
            let died = course.grade(&out).env("JUDGE_FAILPOINT", format!("{name}={time}")).status();
            let died = !died.unwrap().success();
            assert!(died || time > 1, "`{name}` is never reached");
            assert!(course.grade(&out).status().unwrap().success(), "after {name}={time}");
            assert_eq!(results(&out), expected, "after {name}={time}");
        }
    }
}
