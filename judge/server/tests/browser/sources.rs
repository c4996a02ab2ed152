//! Sources: what changed between two, and comments on their lines. Skipped with a message where
//! builds cannot be confined.

use std::path::Path;

use judge_runner::base::workers::Workers;
use judge_runner::bots::builds::{Cache, UploadBuilder};

use crate::BrowserTest;
use crate::browser::Browser;
use crate::pages::Check;
use crate::program::Program;
use crate::scene::{become_instructor, graded, make_course};

pub(crate) const TESTS: &[BrowserTest] =
    &[("staff_comment_on_a_source_and_see_what_changed", comments)];

/// A bot in Python that answers everything with the first tile.
const SOURCE: &str = "\
# Throws its first tile.
while True:
    line = input()
    if line == 'win?':
        print('yes')
    elif line.startswith('discard?'):
        print(line.split()[1])
    elif line == 'end':
        break
";

/// True if this machine can confine builds.
fn can_build(folder: &Path) -> bool {
    let mut workers = Workers::of_this_program().unwrap();
    workers.command.program = env!("CARGO_BIN_EXE_judge-server").into();
    match UploadBuilder::open(&workers, Cache::at(folder)) {
        Ok(_) => true,
        Err(error) if std::env::var_os("CI").is_none() => {
            println!("skipped: {error}");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

/// Submits a source, waits for its result, and returns the address of its page.
fn submit(browser: &mut Browser, base: &str, file: &Path, text: &str) -> String {
    std::fs::write(file, text).unwrap();
    browser.visit(&format!("{base}/c/ai/s/mahjong"));
    browser.choose_file("input[type=file]", file);
    browser.follow("form[enctype] button");
    graded(browser);
    browser.location()
}

fn comments() {
    let folder = tempfile::tempdir().unwrap();
    if !can_build(&folder.path().join("trial")) {
        return;
    }
    let data = folder.path().join("data");
    let program = Program::start_at("127.0.0.1:0", &data, &["--builds", "1"]);
    let [mut teacher, mut ada] = [(); 2].map(|()| Browser::start());
    let mut check = Check::new();
    become_instructor(&program, &mut teacher);
    let links = make_course(&program, &mut teacher);
    ada.visit(&links[0]);
    ada.follow("button.main");
    let (base, file) = (&program.base, folder.path().join("bot.py"));
    submit(&mut ada, base, &file, SOURCE);
    let longer =
        SOURCE.replace("('yes')", "('yes')  # 和 <b>always</b>, without a look at the hand");
    let page = submit(&mut ada, base, &file, &longer);

    teacher.visit(&format!("{page}?line=5#comment"));
    teacher.type_into("#comment textarea", "Why always?\nIt costs points against smart opponents.");
    teacher.follow("#comment button");
    teacher.until("location.hash === '#code'");
    assert!(teacher.text(".answer").contains("Line 5: Tess"), "{}", teacher.text(".answer"));
    check.look(&mut teacher, "source-staff");
    teacher.visit(&format!("{page}?line=5"));
    teacher.type_into("#comment input[name=line]", "77");
    teacher.type_into("#comment textarea", "Nowhere");
    teacher.follow("#comment button");
    check.look(&mut teacher, "source-refused");
    check.visit(&mut ada, &page, "source-student");
    assert!(ada.text(".answer").contains("Why always?"));
    ada.follow("a[href$='/changes']");
    check.look(&mut ada, "changes");
    assert!(ada.text("ins").contains("always") && ada.text("del").contains("'yes'"));
    check.visit(&mut ada, &format!("{base}/c/ai"), "course-notice");
    assert!(check.wrong.is_empty(), "{}", check.wrong.join("\n"));
}
