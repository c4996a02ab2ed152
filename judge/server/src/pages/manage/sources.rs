//! The sources of a suite in one file, for example for a program that looks for plagiarism.

use std::collections::BTreeSet;

use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use judge_store::{BoardRow, Suite};

use super::super::Attendance;
use super::super::files::ending;
use crate::App;
use crate::own_data::{body, zipped};
use crate::web::{RequestFailure, Viewer};

/// Most bytes of all sources together.
const MOST: usize = 256 << 20;

/// `/c/{course}/manage/s/{suite}/sources.zip`.
pub(super) async fn sources(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.staff()?;
    let suite = attendance.suite(&app, &suite).await?;
    sources_of(&app, &viewer, &suite).await
}

/// The sources of the submissions that count, each with the student or the group as its name. Modules
/// that were submitted without a source are left out. A reader gets one file at a time.
///
/// # Errors
/// When another file is under way to this reader, the sources are too large, or the database fails.
pub async fn sources_of(
    app: &App,
    viewer: &Viewer,
    suite: &Suite,
) -> Result<Response, RequestFailure> {
    let mut turn = app.exports().turn(&viewer.person.id).await?;
    let rows = app.store().scoreboard(&suite.id, None).await.map_err(RequestFailure::internal)?;
    let (mut files, mut names, mut size) = (Vec::new(), BTreeSet::new(), 0);
    for row in rows {
        let Some((name, bytes)) = source(app, &row, &mut names).await? else { continue };
        size += bytes.len();
        if size > MOST {
            let most = (MOST >> 20).to_string();
            return Err(RequestFailure::Refused("refusal.sources_large", most));
        }
        files.push((name, bytes));
    }
    let bytes = tokio::task::spawn_blocking(|| zipped(files)).await;
    let bytes = bytes.map_err(RequestFailure::internal)?.map_err(RequestFailure::internal)?;
    // A slow reader does not delay others.
    turn.make_room();
    let headers = [
        (CONTENT_TYPE, "application/zip".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{}-sources.zip\"", suite.slug)),
        (CONTENT_LENGTH, bytes.len().to_string()),
        (CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, body(bytes, turn)).into_response())
}

/// The source of a line of the scoreboard, with a name that no earlier line has; none if a module was
/// submitted.
async fn source(
    app: &App,
    row: &BoardRow,
    names: &mut BTreeSet<String>,
) -> Result<Option<(String, Vec<u8>)>, RequestFailure> {
    let id = &row.result.submission;
    let submission = app.store().submission(id).await.map_err(RequestFailure::internal)?;
    let Some((hash, submission)) = submission.and_then(|one| Some((one.source?, one))) else {
        return Ok(None);
    };
    let bytes = app.store().module(&hash).await.map_err(RequestFailure::internal)?;
    let Some(bytes) = bytes else { return Ok(None) };
    let name = plain_name(&row.name);
    let name = if names.insert(name.to_lowercase()) { name } else { format!("{name} {id}") };
    Ok(Some((format!("{name}.{}", ending(&submission)), bytes)))
}

/// A person's name as the name of a file on every system.
fn plain_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = name.chars().map(plain).take(80).collect();
    // Windows does not take some names of devices.
    format!("{name}_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_lead_to_another_folder() {
        assert_eq!(plain_name("Ada Lovelace"), "Ada_Lovelace_");
        assert_eq!(plain_name("../..\\艾达\0"), "______艾达__");
        assert_eq!(plain_name("CON"), "CON_");
        assert_eq!(plain_name(""), "_");
    }
}
