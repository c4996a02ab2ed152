//! Journals of the parts of a course or tournament that was split by `--shard`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use judge_arena::Journal;
use serde_json::Value;

use crate::Error;
use crate::base::shard::Shard;
use crate::base::workers;

/// Checks that these are all parts of one course or tournament and come from this judge, and
/// returns the plan of the whole.
pub(crate) fn whole_plan(parts: &[Journal], of_what: &str) -> Result<Value, Error> {
    let mut shards = Vec::new();
    let mut whole: Option<Value> = None;
    for part in parts {
        let (shard, plan) = plan_of(part, of_what)?;
        shards.push(shard);
        if let Some(whole) = &whole
            && let Some(difference) = judge_grading::first_difference(whole, &plan)
        {
            let path = difference.path;
            let what =
                format!("it is a part of another {of_what}: `{path}` differs from the first");
            return Err(Error::input(part.path(), &what));
        }
        whole = Some(plan);
    }
    check_complete(shards)?;
    whole.ok_or_else(|| Error::usage("no parts", "name them"))
}

/// The part's shard, and the plan of the whole.
pub(crate) fn plan_of(part: &Journal, of_what: &str) -> Result<(Shard, Value), Error> {
    let path = part.path();
    let Some((fingerprint, mut plan)) = part.header() else {
        return Err(Error::input(path, &"this part was not started"));
    };
    if fingerprint != workers::fingerprint() {
        let what = "it was made by another judge, and results of different judges are never mixed";
        return Err(Error::input(path, &what));
    }
    let wanted = plan["command"] == of_what;
    let shard = plan.as_object_mut().and_then(|plan| plan.remove("shard"));
    let shard = shard.as_ref().and_then(Value::as_str).and_then(|text| text.parse().ok());
    match shard {
        Some(shard) if wanted => Ok((shard, plan)),
        _ => {
            let what = format!("it is not a part of a {of_what}: see `--shard`");
            Err(Error::input(path, &what))
        }
    }
}

/// Refuses a part that is named twice, even by different paths.
///
/// # Errors
/// If there is one.
pub fn refuse_repeated(parts: &[PathBuf]) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for part in parts {
        let real = part.canonicalize().unwrap_or_else(|_| part.clone());
        if !seen.insert(real) {
            let what = format!("the part `{}` is named twice", part.display());
            return Err(Error::usage(what, "name every part once"));
        }
    }
    Ok(())
}

/// Checks that each part is there exactly once.
fn check_complete(mut shards: Vec<Shard>) -> Result<(), Error> {
    shards.sort_unstable();
    let of = shards.first().map_or(0, |shard| shard.of);
    let wanted: Vec<Shard> = (1..=of).map(|number| Shard { number, of }).collect();
    if shards == wanted {
        return Ok(());
    }
    if let Some(twice) = shards.windows(2).find(|two| two[0] == two[1]) {
        let what = format!("part {} is given twice", twice[0]);
        return Err(Error::usage(what, "name every part once"));
    }
    let list =
        |shards: &[Shard]| shards.iter().map(Shard::to_string).collect::<Vec<_>>().join(", ");
    let what = format!("the parts are {}; expected {}", list(&shards), list(&wanted));
    Err(Error::usage(what, "name every part once"))
}
