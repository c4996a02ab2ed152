//! `judge watch` as a real process: a real file is replaced, truncated, removed and touched.

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::support::{judge, run, sample, write};

/// Far longer than any step here on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// A judge that watches a file, and its output.
struct Watching {
    folder: tempfile::TempDir,
    child: Child,
    out: Said,
    err: Said,
}

/// The lines of a stream, as they arrive.
struct Said {
    lines: Receiver<String>,
    heard: String,
}

impl Said {
    fn collect(stream: impl Read + Send + 'static) -> Said {
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Said { lines, heard: String::new() }
    }

    /// The output up to the first line with that text.
    fn until(&mut self, text: &str) -> String {
        let end = Instant::now() + LONG;
        self.heard.clear();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left);
            let line = line.unwrap_or_else(|_| panic!("no `{text}` in:\n{}", self.heard));
            self.heard.extend([line.as_str(), "\n"]);
            if line.contains(text) {
                return self.heard.clone();
            }
        }
    }

    /// The output since then.
    fn rest(&mut self) -> String {
        self.lines.try_iter().map(|line| line + "\n").collect()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A testcase with rounds of these seeds.
fn testcase(game: &str, seeds: &[u32]) -> String {
    format!(
        "title = \"x\"\ngame = \"{game}\"\nopponent = \"random\"\nseeds = {seeds:?}\n\
         min_score = 150\npoints = 10\nlimits = {{ time_ms = 10000000 }}\n"
    )
}

impl Watching {
    /// Watches a file with a bot's bytes, or a missing file.
    fn begin(bot: Option<&str>, seeds: &[u32]) -> Watching {
        Watching::on(&testcase("mahjong", seeds), bot)
    }

    /// Watches a bot during its first grading, which takes minutes.
    fn long() -> Watching {
        let seeds: Vec<u32> = (1..10_000).collect();
        let mut watching = Watching::on(&testcase("patchwork", &seeds), Some(SLOW));
        watching.err.until("grading module ");
        watching
    }

    fn on(testcase: &str, bot: Option<&str>) -> Watching {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.wasm");
        if let Some(bot) = bot {
            std::fs::copy(sample(bot), &path).unwrap();
        }
        let case = write(folder.path(), "case.toml", testcase);
        Watching::source(folder, &path, &case)
    }

    /// Watches a bot in that folder.
    fn source(folder: tempfile::TempDir, bot: &Path, case: &Path) -> Watching {
        Watching::with(folder, bot, case, &[])
    }

    /// Watches a bot in that folder with more options.
    fn with(folder: tempfile::TempDir, bot: &Path, case: &Path, more: &[&str]) -> Watching {
        let mut command = judge();
        command.arg("watch").arg(bot).arg("--testcase").arg(case).args(["--jobs", "1"]).args(more);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let out = Said::collect(child.stdout.take().unwrap());
        let err = Said::collect(child.stderr.take().unwrap());
        Watching { folder, child, out, err }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("bot.wasm")
    }

    /// Replaces the file by another one, like linkers and package managers.
    fn replace(&self, bytes: &[u8]) {
        let beside = write(self.folder.path(), "next", bytes);
        std::fs::rename(beside, self.path()).unwrap();
    }

    fn watches(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

fn bytes(bot: &str) -> Vec<u8> {
    std::fs::read(sample(bot)).unwrap()
}

const SEEDS: [u32; 3] = [1, 2, 3];
const WEAK: &str = "mahjong-straightforward";
const STRONG: &str = "mahjong-distance";
/// Tens of milliseconds per round, where other bots take one.
const SLOW: &str = "patchwork-quilter";

#[test]
fn each_version_is_compared_with_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot.wasm");
    std::fs::copy(sample(WEAK), &bot).unwrap();
    let case = write(folder.path(), "case.toml", testcase("mahjong", &SEEDS));
    let mut watching = Watching::with(folder, &bot, &case, &["--compare=80"]);
    watching.err.until("; watching");
    watching.replace(&bytes(STRONG));
    let better = watching.out.until("against the version before: ");
    assert!(better.contains(" a round: the new version is better ("), "{better}");
    watching.replace(&bytes(WEAK));
    let worse = watching.out.until("against the version before: ");
    assert!(worse.contains("run 3, module "), "its result comes first: {worse}");
    assert!(worse.contains(" a round: the new version is worse ("), "{worse}");
    assert!(!watching.err.rest().contains("dropped"));
}

#[test]
fn watch_reports_better_worse_and_refused_versions() {
    let mut watching = Watching::begin(Some(WEAK), &SEEDS);
    let first = watching.out.until("see it again: judge play ");
    assert!(first.contains("Below threshold") && first.contains("bot.wasm --game"), "{first}");
    watching.err.until("graded in ");

    watching.replace(&bytes(STRONG));
    let better = watching.out.until("  rounds: ");
    assert!(better.contains("run 2, module "), "{better}");
    assert!(better.contains("\n+ case: Below threshold -> Accepted, score "), "{better}");
    assert!(better.contains("\n+ points 0 -> 10 (+10) of 10, score "), "{better}");
    assert!(better.contains("    round 1, seed 1: ") && better.contains(" better"), "{better}");

    // Overwritten in place, like by a copy.
    std::fs::write(watching.path(), bytes(WEAK)).unwrap();
    let worse = watching.out.until("  rounds: ");
    assert!(worse.contains("\n- case: Accepted -> Below threshold, score "), "{worse}");
    assert!(worse.contains("\n    see it again: judge play "), "{worse}");
    assert!(worse.contains("\n- points 10 -> 0 (-10) of 10, score "), "{worse}");

    std::fs::write(watching.path(), b"\0asm, or not").unwrap();
    let refused = watching.out.until("hint: ");
    assert!(refused.starts_with("\nnot graded: "), "{refused}");

    // Compared with the last graded bot, not with the refused one.
    watching.replace(&bytes(STRONG));
    let better = watching.out.until("  rounds: ");
    assert!(better.contains("run 4, module ") && better.contains("(+10) of 10"), "{better}");

    watching.replace(&bytes(STRONG));
    assert_eq!(watching.out.until("bytes"), "same bytes as before: nothing graded\n");
    assert!(watching.watches());
}

#[test]
fn a_file_with_a_similar_name_is_suggested_while_the_bot_is_missing() {
    let mut watching = Watching::begin(None, &SEEDS);
    let first = watching.err.until("waiting for `");
    assert!(!first.contains("did you mean"), "{first}");
    let path = watching.path();
    std::fs::write(&path, bytes(WEAK)).unwrap();
    watching.out.until("see it again: ");
    let other = path.with_file_name(format!("x{}", path.file_name().unwrap().to_str().unwrap()));
    std::fs::rename(&path, &other).unwrap();
    let missing = watching.err.until("waiting for `");
    assert!(missing.contains(&format!("did you mean `{}`?", other.display())), "{missing}");
}

#[test]
fn watch_waits_for_a_deleted_file() {
    let mut watching = Watching::begin(None, &SEEDS);
    watching.err.until("waiting for `");
    let whole = bytes(WEAK);
    std::fs::write(watching.path(), &whole).unwrap();
    watching.out.until("see it again: ");

    std::fs::remove_file(watching.path()).unwrap();
    watching.err.until("waiting for `");
    assert_eq!(watching.out.rest(), "\n", "nothing is said of a file that is not there");
    std::fs::write(watching.path(), &whole).unwrap();
    assert_eq!(watching.out.until("bytes"), "same bytes as before: nothing graded\n");
    std::fs::write(watching.path(), bytes(STRONG)).unwrap();
    watching.out.until("+ case: ");

    // The folder is removed and created again, like by a build that cleans up first.
    let path = watching.path();
    std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    watching.err.until("waiting for `");
    std::fs::create_dir(path.parent().unwrap()).unwrap();
    std::fs::write(path, &whole).unwrap();
    watching.out.until("- case: ");
}

#[test]
fn a_change_during_grading_starts_the_grading_again() {
    let mut watching = Watching::long();
    watching.replace(&bytes("patchwork-first-fit"));
    watching.err.until("the file changed while it was graded");
    watching.err.until("grading module ");
    assert_eq!(watching.out.rest(), "", "the result of what is there no more is not shown");
}

#[test]
fn a_grading_stops_when_its_file_is_broken_or_deleted() {
    let mut watching = Watching::long();
    watching.replace(b"\0asm, or not");
    watching.err.until("the file changed while it was graded");
    let refused = watching.out.until("hint: ");
    assert!(refused.starts_with("\nnot graded: "), "{refused}");
    // The same bytes are graded again, because no grading of them is in progress.
    watching.replace(&bytes(SLOW));
    watching.err.until("grading module ");

    std::fs::remove_file(watching.path()).unwrap();
    watching.err.until("the file changed while it was graded");
    watching.err.until("waiting for `");
    watching.replace(&bytes(SLOW));
    watching.err.until("grading module ");
    assert_eq!(watching.out.rest(), "", "no result of what was there before");
}

#[test]
fn watch_refuses_folders_and_unknown_suites_before_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let text = |path: &Path| path.display().to_string();
    let ran = run(["watch", &text(folder.path())]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("is a folder"), "{}", ran.stderr);
    let ran = run(["watch", &text(&folder.path().join("none/bot.wasm"))]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("no folder") && ran.stderr.contains("hint: "), "{}", ran.stderr);
    let bot = text(&folder.path().join("bot.wasm"));
    assert_eq!(run(["watch", &bot, "--suite", "chess"]).code, 2);
    assert_eq!(run(["watch", &bot, "--testcase", "no/case.toml"]).code, 3);
    // A module without a known game, without a suite: reported when it exists.
    let quiet = wat::parse_str(crate::support::SILENT_BOT).unwrap();
    write(folder.path(), "bot.wasm", quiet);
    let ran = run(["watch", &bot]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("says which game it plays"), "{}", ran.stderr);
}

#[test]
fn watch_ends_when_its_output_is_closed() {
    let bot = sample(WEAK);
    let mut command = judge();
    command.arg("watch").arg(bot).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A bot as text for Mahjong that always gives this answer.
fn source(answer: &str) -> String {
    format!(
        ";; judge: game=mahjong\n(module (memory (export \"memory\") 1) (data (i32.const 0) \"{answer}\")
         (func (export \"judge_buffer\") (result i32) i32.const 4096)
         (func (export \"judge_line\") (param i32) (result i32)
           (i32.store (i32.const 4096) (i32.load (i32.const 0))) i32.const 3))"
    )
}

#[test]
fn a_source_is_built_and_graded_whenever_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "bot.wat", source("yes"));
    let case = write(folder.path(), "case.toml", testcase("mahjong", &SEEDS));
    let mut watching = Watching::source(folder, &path, &case);
    watching.out.until("see it again: judge play ");

    std::fs::write(&path, "(module\n  (func (export 3)))\n").unwrap();
    let refused = watching.out.until("(func (export 3)))");
    assert!(
        refused.contains("not graded: `") && refused.contains("` does not compile"),
        "{refused}"
    );
    assert!(refused.contains("bot.wat:2:10"), "{refused}");

    // The bytes of the last result.
    std::fs::write(&path, source("yes")).unwrap();
    assert!(watching.out.until("bytes").ends_with("same bytes as before: nothing graded\n"));
    // Another answer, and a comment that does not change the module.
    std::fs::write(&path, source("no ")).unwrap();
    watching.out.until("run 2, module ");
    std::fs::remove_file(&path).unwrap();
    watching.err.until("waiting for `");
    std::fs::write(&path, source("no ") + "\n;; a remark\n").unwrap();
    assert!(watching.out.until("bytes").ends_with("same bytes as before: nothing graded\n"));
    assert!(watching.watches());
}

/// Like a source that does not compile: the next result is compared with the previous one.
#[test]
fn a_script_with_a_mistake_is_not_graded() {
    let folder = tempfile::tempdir().unwrap();
    let script = |choice: &str| {
        format!(
            "# judge: game=mahjong\nfrom judge_bot import mahjong, run\n\n\ndef choose(state, tools):\n    \
             return {choice}\n\n\nrun(mahjong, choose)\n"
        )
    };
    let path = write(folder.path(), "bot.py", script("mahjong.legal_moves(state)[0]"));
    let case = write(folder.path(), "case.toml", testcase("mahjong", &SEEDS));
    let mut watching = Watching::source(folder, &path, &case);
    watching.err.until("graded in ");

    std::fs::write(&path, script("mahjong.legal_moves(state")).unwrap();
    let refused = watching.out.until("a bracket that is not closed");
    assert!(refused.contains("not graded: Runtime error: the script failed "), "{refused}");
    assert_eq!(refused.matches("SyntaxError").count(), 1, "{refused}");

    std::fs::write(&path, script("mahjong.legal_moves(state)[-1]")).unwrap();
    // The second result, although three versions were seen.
    watching.out.until("run 2, module ");
    assert!(watching.watches());
}

/// The page shows the last result, and the rounds that decided failed testcases.
#[test]
fn the_result_is_a_page_that_follows_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot.wasm");
    std::fs::copy(sample("mahjong-straightforward"), &bot).unwrap();
    let case = testcase("mahjong", &[1, 2]).replace("150", "100000");
    let case = write(folder.path(), "case.toml", case);
    let page = folder.path().join("result.html");
    let html = format!("--html={}", page.display());
    let mut watching = Watching::with(folder, &bot, &case, &[&html]);
    let told = watching.err.until("the result as a page: ");
    assert!(told.contains("result.html`; `--open` shows it"), "{told}");
    let first = std::fs::read_to_string(&page).unwrap();
    assert!(first.contains("location.reload()") && !first.contains("rank, of"), "{first}");
    assert!(first.contains("judge play ") && first.contains("bot.wasm --game mahjong"), "{first}");
    let linked = "result-rounds/round-1.html";
    assert!(first.contains(&format!("href=\"{linked}\"")), "{first}");
    let round = std::fs::read_to_string(page.with_file_name(linked)).unwrap();
    assert!(round.contains("href=\"../result.html\"") && round.contains("the result"), "{round}");
    assert!(!first.contains("To check the whole report"), "{first}");
    let verify = format!("judge verify round-1.jsonl {}", bot.display());
    assert!(round.contains(&verify), "{verify}: {round}");
    std::fs::write(&bot, "no module").unwrap();
    watching.out.until("not graded");
    let noted = std::fs::read_to_string(&page).unwrap();
    assert!(noted.contains("The last version was not graded: "), "{noted}");
    std::fs::copy(sample("mahjong-distance"), &bot).unwrap();
    watching.out.until("run 2");
    watching.err.until("graded in");
    let end = Instant::now() + LONG;
    while std::fs::read_to_string(&page).unwrap() == noted {
        assert!(Instant::now() < end, "the page stays as it was");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!std::fs::read_to_string(&page).unwrap().contains("was not graded"));
}
