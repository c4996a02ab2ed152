//! Tests of every form of the scoreboard, with the same results.

use super::{Column, Scoreboard, ScoreboardRow};
use crate::page::{Again, Audience, CourseRank, Student};
use crate::test_data::samples;

const ATTACK: &str = "</script><script>window.taken=1</script>\u{202e}<b>";

fn scoreboard() -> Scoreboard {
    let report = samples::report();
    let testcases = report.bots[0].testcases.iter().map(Column::new).collect();
    let name = |bot: &judge_core::BotReport| bot.bot.name.clone();
    let mut students: Vec<ScoreboardRow> =
        report.bots.iter().map(|bot| ScoreboardRow::new(name(bot), bot, None)).collect();
    students.push(ScoreboardRow::missing("absent".to_owned(), 40.into()));
    let mut scoreboard = Scoreboard {
        version: Scoreboard::VERSION,
        fingerprint: report.fingerprint,
        suite: report.suite,
        title: report.title,
        pseudonyms: false,
        testcases,
        students,
    };
    scoreboard.rank();
    scoreboard
}

#[test]
fn a_wide_terminal_shows_margins_and_a_narrow_one_signs() {
    let wide = scoreboard().to_text(None, false);
    insta::assert_snapshot!(wide);
    let narrow = scoreboard().to_text(Some(76), false);
    insta::assert_snapshot!(narrow);
    assert!(narrow.lines().all(|line| line.chars().count() <= 76), "{narrow}");
    assert!(!wide.contains('\u{1b}') && !narrow.contains('\u{1b}'));
    assert!(scoreboard().to_text(None, true).contains('\u{1b}'));
}

#[test]
fn equal_students_share_a_rank_and_missing_submissions_are_last() {
    let scoreboard = scoreboard();
    let places: Vec<(u32, &str)> =
        scoreboard.students.iter().map(|place| (place.rank, place.name.as_str())).collect();
    let expected =
        [(1, "plain"), (2, "evil\u{1b}[2J"), (2, "unlucky"), (4, "empty"), (5, "absent")];
    assert_eq!(places, expected);
}

#[test]
fn pseudonyms_leave_no_trace_of_the_names() {
    let mut scoreboard = scoreboard();
    let digest = scoreboard.students[0].digest.expect("graded").to_string();
    for place in &mut scoreboard.students {
        place.page = Some(format!("students/{}.html", place.name));
    }
    assert!(
        scoreboard.to_html().contains("students/plain.html")
            && scoreboard.to_json().contains(&digest)
    );
    scoreboard.rename(|place| format!("bird {}", place.name.len()));
    let all = scoreboard.to_html() + &scoreboard.to_json() + &scoreboard.to_text(None, false);
    for trace in ["evil", "unlucky", "absent", "students/", digest.as_str()] {
        assert!(!all.contains(trace), "{trace}");
    }
    assert!(all.contains("bird 5") && all.contains("pseudonyms"));
}

#[test]
fn the_page_is_complete_and_loads_nothing() {
    let html = scoreboard().to_html();
    for text in [
        "<b>✓</b>123 +23<",
        "<b>↓</b>77 -23<",
        "<b>R</b> <",
        "<td class=n>–</td>",
        "No submission",
        "<i>at least </i>20<i>/40</i>",
        "needs&nbsp;100",
        "evil\\u{1b}[2J",
        "<b>4</b> graded",
    ] {
        assert!(html.contains(text), "{text} in {html}");
    }
    for reference in ["src=", "href=", "url(", "@import", "http:", "https:", "style=\"", "onclick"]
    {
        assert_eq!(html.matches(reference).count(), 0, "{reference}");
    }
}

#[test]
fn texts_from_outside_are_escaped() {
    let mut scoreboard = scoreboard();
    for text in [&mut scoreboard.title, &mut scoreboard.suite, &mut scoreboard.fingerprint.judge] {
        *text = ATTACK.to_owned();
    }
    scoreboard.testcases[0].name = ATTACK.to_owned();
    scoreboard.testcases[0].title = format!("\" onclick=x {ATTACK}");
    scoreboard.students[0].name = ATTACK.to_owned();
    let html = scoreboard.to_html();
    assert_eq!((html.matches("<script").count(), html.matches("</script").count()), (1, 1));
    assert!(!html.contains('\u{202e}') && !html.contains("\" onclick"), "{html}");
}

fn student_page(report: &judge_core::GradeReport, at: usize, name: &str) -> String {
    let standing = Some(CourseRank {
        rank: 2,
        of: 4,
        points: 27.into(),
        max_points: 60.into(),
        rank_points: Some(7.into()),
    });
    let again = Again { command: Some(format!("judge play {name}")), page: None };
    let (verify, file) = (vec![format!("judge verify {name}")], name.to_owned());
    let again = vec![vec![again.clone(), again]; 2];
    let mut report = report.clone();
    report.bots = vec![report.bots.swap_remove(at)];
    let report = Audience::Staff(&report);
    let endings = &[("self draw", "the winner drew it")];
    let late = Some(format!("2 days late{ATTACK}: 80 % of 25 points"));
    let (pseudonym, reason, is_live) = (None, None, false);
    let page = Student {
        name,
        pseudonym,
        report,
        standing,
        late,
        reason,
        again,
        verify,
        file,
        endings,
        is_live,
    };
    page.to_html().expect("a bot")
}

#[test]
fn a_students_page_has_results_reasons_and_the_check() {
    let report = samples::with_rounds();
    let html = student_page(&report, 0, "plain");
    for text in [
        "<b>27</b> of 60 points, 7 of them by rank",
        "<b>2</b> rank, of 4",
        "23 short of the threshold",
        "<b>line 9 of the protocol</b>: ",
        "the stack overflowed",
        "At fault: the bot.",
        "12.3 ms of 4000 ms",
        "129 KiB of 2048 KiB",
        "judge play plain",
        "judge verify plain",
        "seed 7",
    ] {
        assert!(html.contains(text), "{text} in {html}");
    }
    assert!(html.contains(&report.bots[0].digest.to_string()));
    let refused = student_page(&report, 3, "empty");
    assert!(refused.contains("the file is empty") && refused.contains("hint: build it again"));
}

#[test]
fn a_students_page_runs_no_text_of_a_bot() {
    let mut report = samples::with_rounds();
    report.title = ATTACK.to_owned();
    let bot = &mut report.bots[0];
    bot.bot.author = Some(ATTACK.to_owned());
    for case in &mut bot.testcases {
        for text in [&mut case.name, &mut case.title, &mut case.detail, &mut case.opponent] {
            *text = ATTACK.to_owned();
        }
        for fault in case.rounds.iter_mut().filter_map(|round| round.fault.as_mut()) {
            fault.detail = ATTACK.into();
        }
    }
    let html = student_page(&report, 0, ATTACK);
    assert_eq!((html.matches("<script").count(), html.matches("</script").count()), (1, 1));
    assert!(!html.contains('\u{202e}') && !html.contains("<b>\"") && html.contains("\\u{202e}"));
}
