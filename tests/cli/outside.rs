//! Untrusted inputs: files that never end, other users' files, and a minimal shell.
#![cfg(unix)]

use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::{Ran, judge, run, sample, write};

/// Longer than any step here, but not forever.
const LONG: Duration = Duration::from_secs(60);

fn quick(arguments: &[&str]) -> Ran {
    let begun = Instant::now();
    let ran = run(arguments);
    assert!(begun.elapsed() < LONG, "{arguments:?}");
    ran
}

#[test]
fn no_command_waits_for_a_pipe_or_reads_a_device() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).display().to_string();
    let (pipe, linked) = (path("pipe"), path("linked.toml"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("pipe", &linked).unwrap();
    let bot = sample("mahjong-distance").display().to_string();
    for strange in [&*pipe, &*linked, "/dev/zero", "/dev/stdin"] {
        for arguments in [
            &["grade", &bot, "--testcase", strange][..],
            &["grade", strange, "--suite", "mahjong"],
            &["grade", &bot, "--suite", "mahjong", "--out", &path("out"), "--students", strange],
            &["verify", strange],
            &["verify", &bot, strange],
            &["scoreboard", strange],
            &["report", strange],
            &["merge", strange, "--out", &path("out")],
            &["calibrate", strange, "--suite", "mahjong"],
            &["compare", &bot, strange, "--suite", "mahjong"],
            &["reveal", strange, "--promise", strange],
            &["diff", strange, strange],
            &["replay", strange],
            &["rules", "check", strange],
            &["play", strange, "--seed", "1"],
            &[
                "export",
                "gradescope",
                "--suite",
                "mahjong",
                "--out",
                &path("x"),
                "--binary",
                strange,
            ],
        ] {
            let ran = quick(arguments);
            assert_eq!(ran.code, 3, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        }
        let ran = quick(&["grade", &bot, "--journal", strange, "--resume"]);
        assert_eq!(ran.code, 3, "{strange}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn links_and_pipes_in_a_suite_are_refused_without_reading_them() {
    let place = tempfile::tempdir().unwrap();
    let suite = place.path().join("suite");
    std::fs::create_dir(&suite).unwrap();
    write(place.path(), "private", "password = \"hunter2\"\n");
    write(&suite, "suite.toml", "title = \"x\"\n");
    let case = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1]\n\
                min_score = 1\npoints = 10\n";
    write(&suite, "01.toml", case);
    let bot = sample("mahjong-distance").display().to_string();
    let folder = suite.display().to_string();
    let strange = suite.join("z.toml");
    let refused = || {
        let ran = quick(&["grade", &bot, "--suite", &folder]);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        assert!(!ran.stderr.contains("hunter2") && !ran.stderr.contains("password"));
        ran.stderr
    };
    for target in ["../private", "/dev/zero", "z.toml", "01.toml", "none"] {
        std::os::unix::fs::symlink(target, &strange).unwrap();
        assert!(refused().contains("is a link"));
        std::fs::remove_file(&strange).unwrap();
    }
    assert!(Command::new("mkfifo").arg(&strange).status().unwrap().success());
    assert!(refused().contains("not a file"));
    std::fs::remove_file(&strange).unwrap();
    std::fs::create_dir(place.path().join("x")).unwrap();
    std::fs::rename(place.path().join("private"), place.path().join("x/private.toml")).unwrap();
    write(&suite, "suite.toml", "title = \"x\"\n[hidden]\nfolder = \"../x\"\n");
    assert!(refused().replace("\n  │ ", " ").contains("line "));
    write(&suite, "suite.toml", "title = \"x\"\n[hidden]\nkey = \"../x/private.toml\"\n");
    assert!(refused().contains("not a key"));
}

#[test]
fn a_small_stack_limit_does_not_change_results() {
    let bot = sample("mahjong-distance");
    let limited = |arguments: &str| -> Ran {
        let judge = judge();
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("ulimit -s 64; exec \"$0\" {arguments} \"$1\""));
        command.arg(judge.get_program()).arg(&bot).output().unwrap().into()
    };
    let ran = limited("grade --suite mahjong");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("3 of 8 passed"), "{}{}", ran.stdout, ran.stderr);
    let ran = limited("play --seed 1 --trace");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = limited("match random --game mahjong --rounds 20");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(limited("--help").code, 0);
    assert_eq!(limited("nonsense").code, 2);
}
