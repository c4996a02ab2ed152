//! Names, answers, logs and errors that try to inject markup.

use std::path::Path;

use judge_core::{
    Fingerprint, Limits, Options, RoundRecord, RoundSpec, Seat, SeatSpec, Seed, Transcript, digest,
};

use crate::Test;
use crate::browser::Browser;
use crate::support::{run, write};

pub(crate) const TESTS: &[Test] = &[
    ("no_output_of_a_bot_runs_as_a_script", runs_nothing),
    ("the_page_of_a_changed_replay_has_a_warning", changed),
];

/// Each sets a mark if the browser does not treat it as text.
const ATTACKS: [&str; 6] = [
    "<script>window.taken=1</script>",
    "</script><script>window.taken=1</script>",
    "<!--<script>",
    "<img src=x onerror='window.taken=1'>",
    "\"><svg onload=window.taken=1>",
    "javascript:window.taken=1",
];

/// A round in which a bot with a hostile name logs hostile text and gives a hostile answer.
fn record(attack: &str) -> RoundRecord {
    let bot = |name: &str| SeatSpec::Bot { name: name.to_owned(), sha256: digest(b"") };
    let spec = RoundSpec {
        game: "cc".to_owned(),
        options: Options::new(),
        seed: Seed(1),
        seats: [bot(attack), bot("\u{202e}gnp.<b>bold</b>\u{1b}[31m")],
        limits: Limits::COURSE,
    };
    let fingerprint = Fingerprint { judge: attack.to_owned(), engine: "</style>".to_owned() };
    let mut transcript = Transcript::default();
    let seat = transcript.seat_mut(Seat::One);
    seat.answers.push(attack.to_owned());
    seat.fuel.extend([1, 2]);
    seat.log = format!("{attack}\n\u{202e}\u{0}</pre>{attack}").into_bytes();
    let bytes = u32::try_from(seat.log.len()).unwrap();
    seat.log_parts = Some(vec![(1, bytes).into()]);
    transcript.seat_mut(Seat::Two).fuel.push(1);
    judge_referee::record(&spec, fingerprint, &transcript).unwrap()
}

fn runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start();
    for attack in ATTACKS {
        let record = record(attack);
        let verdict = record.trailer.fault.as_ref().map(|fault| fault.seat);
        assert_eq!(verdict, Some(Some(Seat::One)), "{:?}", record.trailer);
        let replay = write(folder.path(), "<b>it's.jsonl", record.to_replay());
        let page = folder.path().join("page.html");
        let ran = run([Path::new("replay"), &replay, Path::new("--html"), &page]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        browser.open(&page);
        for key in ["ArrowRight", "End", "Home"] {
            browser.press(key);
        }
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{attack}");
        assert_eq!(browser.value("typeof window.taken"), "undefined", "{attack}");
        let strange = "img, b, iframe, a:not(#here), main script, header script";
        let strange = format!("document.querySelectorAll('{strange}').length");
        assert_eq!(browser.value(&strange), 0, "{attack}");
        assert_eq!(browser.value("document.scripts.length"), 2, "{attack}");
        for part in [".player.seat-1 bdi", "#moves [data-step='1'] bdi", ".logs pre", ".facts"] {
            assert!(browser.text(part).contains(attack), "{part} shows {attack}");
        }
        let whole = browser.text("body");
        assert!(whole.contains("\\u{202e}") && whole.contains("\\u{1b}[31m"), "shown, not done");
        assert!(!whole.contains(['\u{202e}', '\u{1b}', '\u{0}']), "{whole}");
        browser.click("#moves [data-step='1']");
        for part in ["#said", "#said .log"] {
            assert!(browser.text(part).contains(attack), "{part} shows {attack}");
        }
        assert!(browser.text("header").contains("At fault: the bot in seat 1"));
    }
}

fn changed() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        record("plain").to_replay().replacen("\"log_bytes\":65536", "\"log_bytes\":65535", 1);
    let replay = write(folder.path(), "round.jsonl", text);
    let page = folder.path().join("page.html");
    let ran = run([Path::new("replay"), &replay, Path::new("--html"), &page]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("changed after it was written"), "{}", ran.stderr);
    let mut browser = Browser::start();
    browser.open(&page);
    let told = browser.text("[role=alert]");
    assert!(told.contains("line 1: changed after it was written"), "{told}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
