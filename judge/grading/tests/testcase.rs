//! Testcases as text: valid ones, and the positions of errors in invalid ones.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_grading::Testcase;

fn testcase(options: &str) -> Result<Testcase, String> {
    let text = format!(
        "title = \"t\"\ngame = \"amazons\"\nopponent = \"random\"\nseeds = [1]\nmin_score = 1\n\
         points = 1\n[options]\n{options}\n"
    );
    Testcase::parse("01-t.toml", &text).map_err(|error| {
        let span = miette::Diagnostic::labels(&*error).unwrap().next().unwrap();
        format!("{error} at `{}`", &text[span.offset()..span.offset() + span.len()])
    })
}

#[test]
fn options_that_need_each_other_are_checked_together() {
    let options = "size = 16\nwhite = \"a1,p1\"\nblack = \"a16,p16\"";
    assert_eq!(testcase(options).map(|testcase| testcase.options.len()), Ok(3));
}

#[test]
fn the_wrong_option_is_shown_at_its_place() {
    let error = testcase("size = 16\nwhite = \"a1,p1\"\nblack = \"a99\"").unwrap_err();
    assert!(error.starts_with("option `black`") && error.ends_with("at `\"a99\"`"), "{error}");
    let error = testcase("sise = 16").unwrap_err();
    assert!(error.starts_with("unknown option `sise`") && error.ends_with("at `16`"), "{error}");
}
