//! Prints invitation links, once.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use judge_runner::bots::student_list::LineRemark;
use judge_store::{NewInvitation, NewPerson, Role, Store, Timestamp, Token};

use super::Failed;
use crate::args::Invite;
use crate::config::Config;
use crate::people_list::{PeopleList, link_sheet};

/// Creates one link for any person, or a link for each person on a list.
pub(super) async fn run(
    config: &Config,
    store: &Store,
    invite: &Invite,
    out: &mut String,
) -> Result<(), Failed> {
    let list = invite.list.as_deref().map(read).transpose()?;
    let course = store.course_by_slug(&invite.course).await?;
    let course = course.ok_or_else(|| Failed::NoCourse(invite.course.clone()))?.id;
    let now = Timestamp::now();
    let new = NewInvitation {
        course: Some(course),
        role: Role::from(invite.role),
        person: None,
        listed: None,
        expires_at: now.after(Duration::from_secs(u64::from(invite.days) * 24 * 60 * 60)),
    };
    let link = |secret: &Token| format!("{}/join/{}", config.base_url(), secret.reveal());
    let Some(people) = list else {
        let (_, secret) = store.invite(&new, now).await?;
        writeln!(out, "{}", link(&secret))?;
        return Ok(());
    };
    let secrets = store.invite_people(None, &new, &people, now).await?;
    let links: Vec<String> = secrets.iter().map(link).collect();
    out.push_str(&link_sheet(&people, &links).map_err(std::io::Error::other)?);
    Ok(())
}

/// The people on a list, with warnings about guesses and left-out rows on standard error.
fn read(path: &Path) -> Result<Vec<NewPerson>, Failed> {
    let wrong = |what: String| Failed::List { path: path.to_owned(), what };
    let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let list = PeopleList::read(path, &bytes).map_err(|error| wrong(error.to_string()))?;
    for remark in &list.remarks {
        tracing::warn!(list = %path.display(), "{remark}");
    }
    for LineRemark { line, what } in &list.left_out {
        tracing::warn!(list = %path.display(), line, "left out: {what}");
    }
    Ok(list.people)
}
