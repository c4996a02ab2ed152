//! The cache of machine code: it changes no result, and damage or forgery never counts.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use judge_core::digest;

use crate::support::{Ran, judge, sample};

const SCRIPT: &str = include_str!("../../sdk/templates/javascript/mahjong.js");

/// Arguments of a round that does not depend on the cache.
const ROUND: [&str; 6] = ["--game", "mahjong", "--seed", "5", "--against", "random"];

/// A new cache folder.
struct CacheFolder(tempfile::TempDir);

impl CacheFolder {
    fn new() -> CacheFolder {
        CacheFolder(tempfile::tempdir().unwrap())
    }

    fn code(&self) -> PathBuf {
        self.0.path().join("code")
    }

    fn judge(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = judge();
        command.env("JUDGE_CACHE", self.0.path()).args(arguments);
        command
    }

    /// Plays a round; returns the run, and the text of its replay.
    fn play(&self, bot: &Path, more: &[&str]) -> (Ran, String) {
        let replay = self.0.path().join("replay");
        let mut command = self.judge(&["play"]);
        command.arg(bot).args(ROUND).arg("--replay").arg(&replay).args(more);
        let ran = Ran::from(command.output().unwrap());
        (ran, fs::read_to_string(replay).unwrap())
    }

    /// The entries, without the key.
    fn entries(&self) -> Vec<PathBuf> {
        let Ok(found) = fs::read_dir(self.code()) else { return Vec::new() };
        let mut paths: Vec<PathBuf> = found.map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| !path.ends_with("key"));
        paths.sort();
        paths
    }
}

/// Sets the time of an entry's last use to the year 1970.
fn age(path: &Path) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
}

fn is_aged(path: &Path) -> bool {
    fs::metadata(path).unwrap().mtime() == 0
}

#[test]
fn the_code_cache_does_not_change_a_round() {
    let folder = CacheFolder::new();
    let script = folder.0.path().join("bot.js");
    fs::write(&script, SCRIPT).unwrap();
    for bot in [sample("mahjong-distance"), sample("cc-stdio-c"), script.clone()] {
        let before = folder.entries();
        let (none, without) = folder.play(&bot, &["--no-cache"]);
        assert_eq!(folder.entries(), before, "{}", bot.display());
        let (cold, made) = folder.play(&bot, &[]);
        let mut entries = folder.entries();
        entries.retain(|path| !before.contains(path));
        // A script and its interpreter have an entry each.
        let count = if bot == script { 2 } else { 1 };
        assert_eq!(entries.len(), count, "{entries:?}");
        let inodes = || entries.iter().map(|entry| fs::metadata(entry).unwrap().ino());
        let before: Vec<u64> = inodes().collect();
        entries.iter().for_each(|entry| age(entry));
        let (warm, found) = folder.play(&bot, &[]);
        assert!(!entries.iter().any(|entry| is_aged(entry)), "one was not used");
        assert!(inodes().eq(before), "one was made again");
        assert_eq!((&made, &found), (&without, &without), "{}", bot.display());
        assert_eq!([&cold.stdout, &warm.stdout], [&none.stdout; 2]);
        assert_eq!([cold.code, warm.code], [none.code; 2]);
    }
}

#[test]
fn scripts_share_the_cached_code_of_their_interpreter() {
    let folder = CacheFolder::new();
    let script = folder.0.path().join("bot.js");
    for (text, count) in [(SCRIPT.to_owned(), 2), (format!("{SCRIPT}// another one\n"), 3)] {
        fs::write(&script, text).unwrap();
        folder.play(&script, &[]);
        assert_eq!(folder.entries().len(), count);
        let large = folder
            .entries()
            .iter()
            .filter(|path| fs::metadata(path).unwrap().len() > 1 << 20)
            .count();
        assert_eq!(large, 1, "the interpreter's machine code");
    }
}

#[test]
fn a_refused_module_is_not_cached() {
    let folder = CacheFolder::new();
    let bot = folder.0.path().join("bot.wasm");
    fs::write(&bot, b"\0asm\x01\0\0\0").unwrap();
    let runs: [Ran; 2] = std::array::from_fn(|_| {
        let mut command = folder.judge(&["play"]);
        command.arg(&bot).args(ROUND).output().unwrap().into()
    });
    assert!(runs[0].code != 0 && runs[0].code == runs[1].code, "{}", runs[0].stderr);
    assert_eq!(runs[0].stderr, runs[1].stderr);
    assert!(folder.entries().is_empty());
}

#[test]
fn a_damaged_cache_entry_is_compiled_again() {
    let folder = CacheFolder::new();
    let bot = sample("mahjong-distance");
    let (_, replay) = folder.play(&bot, &[]);
    let entry = folder.entries().remove(0);
    let whole = fs::read(&entry).unwrap();
    let mut forged = whole.clone();
    forged[whole.len() / 2] ^= 1;
    for damaged in [&forged[..], &whole[..whole.len() / 2], b""] {
        fs::write(&entry, damaged).unwrap();
        let (ran, again) = folder.play(&bot, &[]);
        assert_eq!((ran.code, &again), (0, &replay), "{}", ran.stderr);
        assert_eq!(fs::read(&entry).unwrap().len(), whole.len(), "it was not replaced");
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_a_note() {
    let folder = CacheFolder::new();
    let bot = sample("mahjong-distance");
    let (ran, replay) = folder.play(&bot, &[]);
    assert!(!ran.stderr.contains("note: "), "{}", ran.stderr);
    // Even the superuser cannot make a folder below a file.
    let file = folder.0.path().join("file");
    fs::write(&file, "").unwrap();
    let again = folder.0.path().join("again");
    let play = |more: &[&str]| {
        let mut command = folder.judge(&["play"]);
        command.env("JUDGE_CACHE", file.join("below")).arg(&bot).args(ROUND).arg("--replay");
        Ran::from(command.arg(&again).args(more).output().unwrap())
    };
    let ran = play(&[]);
    let note = "note: no machine code is kept for later runs: `";
    assert!(ran.code == 0 && ran.stderr.contains(note), "{}", ran.stderr);
    assert!(!ran.stderr.contains("\\n"), "the hint has its own line: {}", ran.stderr);
    assert_eq!(fs::read_to_string(&again).unwrap(), replay);
    let ran = play(&["--no-cache"]);
    assert!(ran.code == 0 && !ran.stderr.contains("note: "), "{}", ran.stderr);
}

/// HMAC-SHA256, as the cache seals its entries.
fn seal(key: &[u8], name: &str, content: &[u8]) -> [u8; 32] {
    let pad = |byte: u8| {
        let mut block = [byte; 64];
        std::iter::zip(&mut block, key).for_each(|(byte, key)| *byte ^= key);
        block
    };
    let text = [&pad(0x36)[..], b"machine code 1\n", name.as_bytes(), content].concat();
    *digest(&[&pad(0x5c)[..], digest(&text).bytes()].concat()).bytes()
}

#[test]
fn cached_code_that_does_not_load_is_compiled_again() {
    let folder = CacheFolder::new();
    let bot = sample("mahjong-distance");
    let (_, replay) = folder.play(&bot, &[]);
    let entry = folder.entries().remove(0);
    let whole = fs::read(&entry).unwrap();
    let name = entry.file_name().unwrap().to_str().unwrap();
    let key = fs::read(folder.code().join("key")).unwrap();
    assert_eq!(seal(&key, name, &whole[32..]), whole[..32], "the seal is HMAC-SHA256");
    // As after a failure of the disk before the entry was sealed.
    let mut broken = whole[32..].to_vec();
    broken[8..4096].fill(0);
    let broken = [&seal(&key, name, &broken)[..], &broken].concat();
    fs::write(&entry, &broken).unwrap();
    let (ran, again) = folder.play(&bot, &[]);
    assert_eq!((ran.code, &again), (0, &replay), "{}{}", ran.stdout, ran.stderr);
    assert_ne!(fs::read(&entry).unwrap()[32..], broken[32..], "it was not replaced");
}

#[test]
fn two_judges_can_share_a_cache_at_the_same_time() {
    let folder = CacheFolder::new();
    let bot = sample("mahjong-distance");
    let start = || {
        let mut command = folder.judge(&["play"]);
        command.arg(&bot).args(ROUND).stdout(std::process::Stdio::piped());
        command.spawn().unwrap()
    };
    let texts = [start(), start()].map(|child| child.wait_with_output().unwrap().stdout);
    assert_eq!(texts[0], texts[1]);
    assert!(!texts[0].is_empty());
    assert_eq!(folder.entries().len(), 1);
    let entry = folder.entries().remove(0);
    age(&entry);
    folder.play(&bot, &[]);
    assert!(!is_aged(&entry), "both had the same key");
}

#[test]
fn verify_ignores_cached_code() {
    let folder = CacheFolder::new();
    let bot = sample("mahjong-distance");
    folder.play(&bot, &[]);
    let entry = folder.entries().remove(0);
    age(&entry);
    let mut command = folder.judge(&["verify"]);
    let ran = Ran::from(command.arg(folder.0.path().join("replay")).arg(&bot).output().unwrap());
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(is_aged(&entry), "the cached machine code was used");
}

#[test]
fn doctor_shows_the_cache_or_the_reason_that_it_is_off() {
    let folder = CacheFolder::new();
    folder.play(&sample("mahjong-distance"), &[]);
    let doctor = || Ran::from(folder.judge(&["doctor", "--json"]).output().unwrap()).json();
    let cache = &doctor()["code_cache"];
    assert_eq!(cache["folder"], folder.code().to_str().unwrap());
    assert_eq!((&cache["modules"], &cache["not_used"]), (&1.into(), &serde_json::Value::Null));
    assert_eq!(cache["bytes"], fs::metadata(&folder.entries()[0]).unwrap().len());
    fs::set_permissions(folder.code(), fs::Permissions::from_mode(0o755)).unwrap();
    let cache = &doctor()["code_cache"];
    assert!(cache["not_used"].as_str().unwrap().contains("by other users"), "{cache}");
    let text = Ran::from(folder.judge(&["doctor"]).output().unwrap()).stdout;
    assert!(text.contains("  NOT USED  `"), "{text}");
    let entry = folder.entries().remove(0);
    age(&entry);
    let (ran, _) = folder.play(&sample("mahjong-distance"), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(is_aged(&entry), "used in spite of its folder's rights");
}
