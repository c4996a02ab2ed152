//! `judge doctor`, and `--require-isolation`, which must agree with it.

use crate::support::{run, sample};

#[test]
fn what_the_walls_are_for_is_refused() {
    let ran = run(["doctor", "--json"]);
    let report = ran.json();
    let walls = report["walls"].as_array().unwrap();
    let attempts = report["attempts"].as_array().unwrap();
    assert_eq!((walls.len(), attempts.len()), (9, 8), "{report:#}");
    let missing = walls.iter().any(|wall| !wall["missing"].is_null());
    let possible: Vec<_> = attempts.iter().filter(|attempt| attempt["refused"] != true).collect();
    // Where walls are missing, something may be possible; where all stand, nothing is.
    assert!(missing || possible.is_empty(), "{possible:?}");
    assert_eq!(ran.code, i32::from(missing || !possible.is_empty()));
    // Whoever requires all of them gets a round exactly where they stand.
    let bot = sample("mahjong-straightforward");
    let strict = run(["play".as_ref(), bot.as_os_str(), "--require-isolation".as_ref()]);
    assert_eq!(strict.code, if missing { 4 } else { 0 }, "{}{}", strict.stdout, strict.stderr);
    let lenient = run(["play".as_ref(), bot.as_os_str()]);
    assert_eq!(lenient.stderr.contains("fewer walls"), missing, "{}", lenient.stderr);
}

#[test]
fn the_text_names_every_wall() {
    let ran = run(["doctor"]);
    for name in ["no writing to files", "Landlock", "seccomp", "death with the judge", "1 GiB"] {
        assert!(ran.stdout.contains(name), "{}", ran.stdout);
    }
    assert!(ran.stdout.starts_with("judge "), "{}", ran.stdout);
}
