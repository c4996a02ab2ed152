//! A full disk, missing rights, or another run's journal: the message is clear, and existing files
//! stay.

use std::process::{Command, Stdio};

use crate::course::{CrashCourse, results};
use crate::support::{Ran, run};

/// The command with a file size limit of `kib` KiB, which a shell can set.
fn with_little_room(command: &Command, kib: usize) -> Ran {
    let mut shell = Command::new("sh");
    // Without the trap the process is killed instead of getting an error.
    shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", kib * 2)]);
    shell.arg(command.get_program()).args(command.get_args());
    shell.stdin(Stdio::null()).output().unwrap().into()
}

#[test]
fn a_run_reports_a_full_disk_and_continues_later() {
    let course = CrashCourse::new();
    let expected = course.undisturbed();
    let out = course.out("full");
    let mut stopped = 0;
    for kib in [1, 8, 12, 16, 24] {
        let ran = with_little_room(&course.grade(&out), kib);
        if ran.code != 0 {
            assert_eq!(ran.code, 4, "{kib} KiB: {}", ran.stderr);
            assert!(
                ran.stderr.contains("cannot write") && ran.stderr.contains("hint: "),
                "{}",
                ran.stderr
            );
            stopped += 1;
        }
    }
    assert!(stopped > 2, "there was room: {stopped}");
    assert!(course.grade(&out).status().unwrap().success());
    assert_eq!(results(&out), expected);
}

#[test]
fn a_failed_write_keeps_the_old_results() {
    let course = CrashCourse::new();
    course.undisturbed();
    let out = course.out("undisturbed");
    // An equal file is not written again.
    std::fs::write(out.join("scoreboard.html"), "old").unwrap();
    let old = results(&out);
    let ran = with_little_room(&course.grade(&out), 1);
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    assert_eq!(results(&out), old);
}

#[test]
fn a_file_as_folder_and_a_journal_of_another_run_are_refused() {
    let course = CrashCourse::new();
    let file = course.out("file");
    std::fs::write(&file, "x").unwrap();
    let graded = |arguments: &[&str]| {
        let command = course.grade(&course.out("other"));
        run(command
            .get_args()
            .map(ToOwned::to_owned)
            .chain(arguments.iter().map(|text| (*text).into())))
    };
    assert_eq!(graded(&[]).code, 0);
    let in_file = {
        let command = course.grade(&file);
        run(command.get_args())
    };
    assert_eq!(in_file.code, 3);
    assert!(in_file.stderr.contains("cannot write"), "{}", in_file.stderr);
    // The same folder without `--resume`, and with a changed suite.
    let anew: Vec<_> = {
        let command = course.grade(&course.out("other"));
        command.get_args().filter(|text| *text != "--resume").map(ToOwned::to_owned).collect()
    };
    let ran = run(anew);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("continue that run with `--resume`"), "{}", ran.stderr);
    let testcase = course.out("suite").join("01-first.toml");
    let text = std::fs::read_to_string(&testcase).unwrap();
    std::fs::write(&testcase, text.replace("150", "151")).unwrap();
    let ran = graded(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let told = "`01-first.toml`: `min_score` 150 -> 151 (scored again)";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
}
