//! Commitments: made, kept and broken.

use std::path::{Path, PathBuf};

use judge_core::IgnoreEvents;
use judge_runner::Error;
use judge_runner::suites::commit;
use judge_runner::suites::reveal;

use crate::support::write;

/// A suite with an open testcase and a hidden one; its key does not exist yet.
fn suite(folder: &Path) -> PathBuf {
    write(folder, "suite.toml", "title = \"Hidden\"\n[hidden]\nkey = \"key\"\n");
    let testcase = |rounds: &str| {
        format!(
            "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\n{rounds}\n\
             min_score = 1\npoints = 10\n"
        )
    };
    write(folder, "01-open.toml", testcase("seeds = [1]"));
    write(folder, "02-hidden.toml", testcase("rounds = 3"));
    folder.to_owned()
}

#[test]
fn a_commitment_is_kept_by_the_suite_and_by_its_proof() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path());
    let request = commit::Request { suite: suite.clone(), new_key: Some(suite.join("key")) };
    let made = commit::run(&request, &mut IgnoreEvents).unwrap();
    assert_eq!(made.commitment.testcases, ["02-hidden"]);
    assert!(
        matches!(commit::run(&request, &mut IgnoreEvents), Err(Error::Usage { .. })),
        "the suite has a key"
    );
    let commitment = write(&suite, "commitment.json", made.json().unwrap());

    let request = |source: PathBuf| reveal::Request { source, commitment: commitment.clone() };
    let revealed = reveal::run(&request(suite.clone()), &mut IgnoreEvents).unwrap();
    let reveal::Outcome::Revealed(_) = &revealed else { panic!("{revealed:?}") };
    let proof = revealed.text().unwrap();
    let file = write(&suite, "proof.json", &proof);
    let kept = reveal::run(&request(file), &mut IgnoreEvents).unwrap();
    assert!(matches!(kept, reveal::Outcome::Kept(_)), "{kept:?}");
    assert!(kept.text().unwrap().starts_with("kept: 1 "));

    let forged = write(&suite, "forged.json", proof.replace("min_score = 1", "min_score = 2"));
    let broken = reveal::run(&request(forged), &mut IgnoreEvents).unwrap();
    assert!(matches!(broken, reveal::Outcome::Broken { .. }), "{broken:?}");
}
