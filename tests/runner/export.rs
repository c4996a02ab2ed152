//! Autograders with a judge chosen by the caller.

use std::io::Cursor;
use std::path::Path;

use judge_report::{CourseTool, Visibility};
use judge_runner::base::files::Readers;
use judge_runner::grade::export::gradescope::{Request, run};

use crate::Heard;
use crate::support::{judge, write};

fn request(folder: &Path, more: &str) -> Request {
    let case = format!(
        "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [5]\nmin_score = 30\n\
         points = 10\n{more}\n"
    );
    write(folder, "suite.toml", "title = \"x\"\n");
    write(folder, "01-one.toml", case);
    Request {
        suite: folder.to_owned(),
        judge: judge().get_program().into(),
        tool: CourseTool { hidden: Visibility::Hidden, ..CourseTool::default() },
        build: false,
    }
}

#[test]
fn an_export_with_hidden_testcases_has_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    for (more, hidden) in [("", false), ("hidden = true", true)] {
        let mut heard = Heard::default();
        let outcome = run(&request(folder.path(), more), &mut heard).unwrap();
        assert_eq!((outcome.testcases, outcome.has_secrets), (1, hidden));
        assert_eq!(outcome.readers(), if hidden { Readers::Owner } else { Readers::Usual });
        assert_eq!(heard.remarks().len(), usize::from(hidden), "{:?}", heard.remarks());
        let mut zip = zip::ZipArchive::new(Cursor::new(outcome.zip)).unwrap();
        assert!(zip.by_name("judge").is_ok());
    }
}

#[test]
fn an_export_of_another_program_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let judge = write(folder.path(), "judge", "#!/bin/sh\n");
    let request = Request { judge, ..request(folder.path(), "") };
    let error = run(&request, &mut Heard::default()).unwrap_err();
    assert!(error.to_string().contains("is not a program for Linux on x86-64"), "{error}");
}
