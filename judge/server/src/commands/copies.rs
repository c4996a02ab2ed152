//! Copies the database, and restores it from a copy.

use std::path::Path;

use judge_store::{Address, Restored, Summary, Timestamp, backup as copy_to, restore as put_back};

use super::{Failed, address, make_data_folder};
use crate::config::Config;

/// The warning about a database without the key of its signatures.
pub(super) const NO_KEY: &str = "the database has no signing key: reports, replays and mark sheets \
    are not signed\n\nhint: `judge-server restore COPY` puts back a copy that contains the key; \
    `judge-server new-key` makes another one, which does not fit the files that were signed before";

/// Copies the database, and prints a summary of the copy.
pub(super) async fn backup(config: &Config, to: &Path) -> Result<(), Failed> {
    let address = address(config)?;
    let summary = copy_to(&address, to).await?;
    println!("copied `{address}` to `{}`: {}", to.display(), content(&summary));
    if summary.has_key {
        println!("the copy contains the signing key, so only its owner can read it");
    } else {
        eprintln!("warning: {NO_KEY}");
    }
    Ok(())
}

/// Replaces the database with a copy, and prints the path of the old one.
pub(super) async fn restore(config: &Config, copy: &Path) -> Result<(), Failed> {
    let address = address(config)?;
    if let Address::Sqlite(_) = address {
        make_data_folder(config)?;
    }
    let Restored { summary, before } = put_back(&address, copy, Timestamp::now()).await?;
    println!("restored `{}` to `{address}`: {}", copy.display(), content(&summary));
    match before {
        Some(before) => println!("the database that was there is now `{}`", before.display()),
        None => println!("there was no database before"),
    }
    if summary.has_key {
        println!("the signing key is the one in the copy");
    } else {
        eprintln!("warning: {NO_KEY}");
    }
    Ok(())
}

fn content(summary: &Summary) -> String {
    let Summary { people, submissions, latest, .. } = summary;
    let latest = latest.map(|time| format!(", the latest of {time}")).unwrap_or_default();
    format!("people: {people}, submissions: {submissions}{latest}")
}
