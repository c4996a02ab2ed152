use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::SystemTime;

use super::entries::MAX_ENTRY_BYTES;
use super::*;

/// A user that no test runs as.
const OTHER: u32 = 65_534;

/// A cache in a new folder that all users may list.
fn cache() -> (tempfile::TempDir, CodeCache) {
    let above = tempfile::tempdir().expect("a folder");
    fs::set_permissions(above.path(), Permissions::from_mode(0o755)).expect("set");
    let cache = CodeCache::new(above.path().join("code"), "judge 1");
    (above, cache)
}

fn made(text: &[u8]) -> CachedCode {
    CachedCode { code: text.repeat(100), compile_time: Duration::from_millis(283) }
}

fn module(number: usize) -> Digest {
    digest(&number.to_le_bytes())
}

fn entry(cache: &CodeCache, module: &Digest) -> PathBuf {
    cache.folder.join(cache.name(module))
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("it is there").mode() & 0o7777
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[test]
fn machine_code_is_reused_only_by_the_same_build() {
    let (above, cache) = cache();
    assert_eq!(cache.find(&module(1)), None);
    cache.keep(&module(1), &made(b"one"));
    assert_eq!(cache.find(&module(1)), Some(made(b"one")));
    assert_eq!(cache.find(&module(2)), None);
    let newer = CodeCache::new(above.path().join("code"), "judge 2");
    assert_eq!(newer.find(&module(1)), None);
    cache.remove(&module(1));
    assert_eq!(cache.find(&module(1)), None);
}

#[test]
fn only_the_owner_can_read_the_cache() {
    let (_above, cache) = cache();
    cache.keep(&module(1), &made(b"one"));
    let (key, code) = (cache.folder.join("key"), entry(&cache, &module(1)));
    assert_eq!([mode(&cache.folder), mode(&key), mode(&code)], [0o700, 0o600, 0o600]);
    assert_eq!(fs::read(&key).expect("our own").len(), 32);
    if is_root() {
        for file in [&cache.folder, &key, &code] {
            let reads = Command::new("cat").arg(file).uid(OTHER).gid(OTHER).output();
            let reads = reads.expect("a process");
            assert!(!reads.status.success() && reads.stdout.is_empty(), "{}", file.display());
        }
    }
}

#[test]
fn changed_or_cut_entries_are_ignored_and_replaced() {
    let (_above, cache) = cache();
    cache.keep(&module(1), &made(b"one"));
    let path = entry(&cache, &module(1));
    let whole = fs::read(&path).expect("our own");
    for at in (0..whole.len()).step_by(7).chain([31, 32, 39, 40, whole.len() - 1]) {
        let mut forged = whole.clone();
        forged[at] ^= 1;
        fs::write(&path, forged).expect("written");
        assert_eq!(cache.find(&module(1)), None, "byte {at}");
        fs::write(&path, &whole[..at]).expect("written");
        assert_eq!(cache.find(&module(1)), None, "cut at {at}");
    }
    cache.keep(&module(1), &made(b"one"));
    assert_eq!(cache.find(&module(1)), Some(made(b"one")));
}

#[test]
fn an_entry_under_another_key_or_name_is_ignored() {
    let ((_mine, mine), (_other, other)) = (cache(), cache());
    other.keep(&module(1), &made(b"forged"));
    mine.keep(&module(2), &made(b"two"));
    fs::copy(entry(&other, &module(1)), entry(&mine, &module(1))).expect("copied");
    assert_eq!(mine.find(&module(1)), None, "another key");
    fs::copy(entry(&mine, &module(2)), entry(&mine, &module(1))).expect("copied");
    assert_eq!(mine.find(&module(1)), None, "another name");
    fs::copy(other.folder.join("key"), mine.folder.join("key")).expect("copied");
    assert_eq!(mine.find(&module(2)), None, "a new key");
    mine.keep(&module(2), &made(b"two"));
    assert_eq!(mine.find(&module(2)), Some(made(b"two")));
}

#[test]
fn links_pipes_and_files_with_wider_rights_are_ignored_and_replaced() {
    let (above, cache) = cache();
    cache.keep(&module(1), &made(b"one"));
    let path = entry(&cache, &module(1));
    let genuine = above.path().join("genuine");
    let replaced = |what: &str| {
        assert_eq!(cache.find(&module(1)), None, "{what}");
        cache.keep(&module(1), &made(b"one"));
        assert_eq!(cache.find(&module(1)), Some(made(b"one")), "{what}");
        assert_eq!(mode(&path), 0o600, "{what}");
    };
    for rights in [0o640, 0o604, 0o620, 0o602] {
        fs::set_permissions(&path, Permissions::from_mode(rights)).expect("set");
        replaced("rights");
    }
    fs::rename(&path, &genuine).expect("moved");
    symlink(&genuine, &path).expect("a link");
    replaced("a link to a genuine entry");
    fs::remove_file(&path).expect("removed");
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    replaced("a pipe, which would block");
    if is_root() {
        chown(&path, Some(OTHER), None).expect("given away");
        replaced("another owner");
    }
}

#[test]
fn a_cache_folder_or_key_of_another_user_is_not_used() {
    let (above, cache) = cache();
    cache.keep(&module(1), &made(b"one"));
    let unused = |cache: &CodeCache| {
        assert_eq!(cache.find(&module(1)), None);
        cache.keep(&module(2), &made(b"two"));
        assert!(!entry(cache, &module(2)).exists());
        cache.check().expect_err("not usable")
    };
    fs::set_permissions(&cache.folder, Permissions::from_mode(0o750)).expect("set");
    assert!(matches!(unused(&cache), CacheError::Rights(_)));
    fs::set_permissions(&cache.folder, Permissions::from_mode(0o700)).expect("set");
    let link = CodeCache { folder: above.path().join("link"), ..cache.clone() };
    symlink(&cache.folder, &link.folder).expect("a link");
    assert!(matches!(unused(&link), CacheError::Kind(_)));
    let key = cache.folder.join("key");
    fs::set_permissions(&key, Permissions::from_mode(0o644)).expect("set");
    assert!(matches!(unused(&cache), CacheError::Rights(_)));
    fs::set_permissions(&key, Permissions::from_mode(0o600)).expect("set");
    if is_root() {
        for path in [&key, &cache.folder] {
            chown(path, Some(OTHER), None).expect("given away");
            assert!(matches!(unused(&cache), CacheError::Owner(_)), "{}", path.display());
            chown(path, Some(0), None).expect("taken back");
        }
    }
    assert_eq!(cache.find(&module(1)), Some(made(b"one")));
    fs::write(above.path().join("file"), "").expect("written");
    let file = CodeCache { folder: above.path().join("file"), ..cache };
    assert!(matches!(file.check(), Err(CacheError::Kind(_))));
}

#[test]
fn a_truncated_key_is_replaced() {
    let (_above, cache) = cache();
    cache.keep(&module(1), &made(b"one"));
    fs::write(cache.folder.join("key"), "short").expect("written");
    assert_eq!(cache.find(&module(1)), None);
    cache.keep(&module(1), &made(b"one"));
    assert_eq!(cache.find(&module(1)), Some(made(b"one")));
}

#[test]
fn entries_unused_for_the_longest_time_are_deleted_first() {
    let (_above, cache) = cache();
    let cache = CodeCache { max_bytes: 3 * 340, ..cache };
    for number in 0..3 {
        cache.keep(&module(number), &made(b"one"));
        let file = fs::File::options().write(true).open(entry(&cache, &module(number)));
        let time = SystemTime::now() - Duration::from_secs(100 - number as u64);
        file.expect("our own").set_modified(time).expect("set");
    }
    assert_eq!(cache.check().expect("usable"), CacheUse { entries: 3, bytes: 3 * 340 });
    assert!(cache.find(&module(0)).is_some(), "used now");
    cache.keep(&module(3), &made(b"one"));
    let is_there = [0, 1, 2, 3].map(|number| cache.find(&module(number)).is_some());
    assert_eq!(is_there, [true, false, true, true]);
}

#[test]
fn a_large_module_is_not_cached() {
    let (_above, cache) = cache();
    let code = |bytes| CachedCode { code: vec![7; bytes], compile_time: Duration::ZERO };
    cache.keep(&module(1), &code(MAX_ENTRY_BYTES + 1));
    assert_eq!(cache.find(&module(1)), None);
    cache.keep(&module(1), &code(MAX_ENTRY_BYTES));
    assert!(cache.find(&module(1)).is_some());
}

#[test]
fn concurrent_processes_share_a_key_and_see_whole_entries() {
    let (_above, cache) = cache();
    let texts: [&[u8]; 4] = [b"one", b"longer", b"the longest", b"x"];
    std::thread::scope(|scope| {
        for text in texts {
            let cache = &cache;
            scope.spawn(move || {
                for round in 0..200 {
                    cache.keep(&module(round % 3), &made(text));
                    let found = cache.find(&module(round % 3)).expect("never half an entry");
                    assert!(texts.iter().any(|text| found == made(text)));
                }
            });
        }
    });
    let left = fs::read_dir(&cache.folder).expect("listed").count();
    assert_eq!(left, 4, "three entries and the key");
}
