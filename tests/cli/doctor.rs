//! `judge doctor`, and `--require-isolation`, which must agree with it.

use crate::support::{run, sample};

#[test]
fn every_wall_refuses_the_attempts_against_it() {
    let ran = run(["doctor", "--json"]);
    let report = ran.json();
    let walls = report["walls"].as_array().unwrap();
    let attempts = report["attempts"].as_array().unwrap();
    assert_eq!((walls.len(), attempts.len()), (9, 8), "{report:#}");
    let stands = |name: &str| {
        let wall = walls.iter().find(|wall| wall["name"].as_str().unwrap().contains(name));
        wall.unwrap()["missing"].is_null()
    };
    let refused = |what: &str| {
        attempts.iter().find(|attempt| attempt["what"] == what).unwrap()["refused"] == true
    };
    // Windows may add variables to an empty environment.
    assert!(refused("read the environment") || cfg!(windows));
    for (wall, what) in [
        ("seccomp", "read a file"),
        ("seccomp", "create a file"),
        ("seccomp", "open a socket"),
        ("seccomp", "start a program"),
        ("seccomp", "start a thread"),
        ("Landlock", "list the root folder"),
        ("memory", "take 3 GiB of memory"),
    ] {
        assert!(!stands(wall) || refused(what), "{what} in spite of {wall}: {report:#}");
    }
    let missing = walls.iter().any(|wall| !wall["missing"].is_null());
    let possible = attempts.iter().any(|attempt| attempt["refused"] != true);
    assert_eq!(ran.code, i32::from(missing || possible));
    // A round with `--require-isolation` succeeds exactly if all walls exist.
    let bot = sample("mahjong-straightforward");
    let strict = run(["play".as_ref(), bot.as_os_str(), "--require-isolation".as_ref()]);
    assert_eq!(strict.code, if missing { 4 } else { 0 }, "{}{}", strict.stdout, strict.stderr);
    let lenient = run(["play".as_ref(), bot.as_os_str()]);
    assert_eq!(lenient.lacks_walls, missing, "{}", lenient.stderr);
}

#[test]
fn the_text_names_every_wall() {
    let ran = run(["doctor"]);
    for name in ["no writing to files", "Landlock", "seccomp", "death with the judge", "1 GiB"] {
        assert!(ran.stdout.contains(name), "{}", ran.stdout);
    }
    assert!(ran.stdout.starts_with("judge "), "{}", ran.stdout);
}
