//! Prints invitation links, once.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use judge_runner::base::list_file::ListFile;
use judge_store::{
    CourseId, NewInvitation, NewPerson, PersonId, Role, Store, Timestamp, is_address,
};

use super::Failed;
use crate::args::Invite;
use crate::config::Config;

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
    let role = Role::from(invite.role);
    let Some(list) = list else {
        writeln!(out, "{}", link(config, store, &course, role, None, invite.days).await?)?;
        return Ok(());
    };
    let mut sheet = csv::Writer::from_writer(Vec::new());
    let header = ["student", "address", "link"];
    sheet.write_record(header).map_err(std::io::Error::other)?;
    for new in list {
        let person = known_or_new(store, &new).await?;
        let link = link(config, store, &course, role, Some(&person), invite.days).await?;
        let address = new.address.unwrap_or_default();
        let row = [judge_report::cell(&new.name), judge_report::cell(&address), link];
        sheet.write_record(row).map_err(std::io::Error::other)?;
    }
    let sheet = sheet.into_inner().map_err(|error| std::io::Error::other(error.to_string()))?;
    out.push_str(&String::from_utf8_lossy(&sheet));
    Ok(())
}

/// Creates an invitation and returns its link.
pub(super) async fn link(
    config: &Config,
    store: &Store,
    course: &CourseId,
    role: Role,
    person: Option<&PersonId>,
    days: u32,
) -> Result<String, Failed> {
    let now = Timestamp::now();
    let new = NewInvitation {
        course: Some(course.clone()),
        role,
        person: person.cloned(),
        expires_at: now.after(Duration::from_secs(u64::from(days) * 24 * 60 * 60)),
    };
    let (_, secret) = store.invite(&new, now).await?;
    Ok(format!("{}/join/{}", config.base_url(), secret.reveal()))
}

/// The person with that address, or a new one.
async fn known_or_new(store: &Store, new: &NewPerson) -> Result<PersonId, Failed> {
    if let Some(address) = &new.address
        && let Some(known) = store.person_by_address(address).await?
    {
        return Ok(known.id);
    }
    Ok(store.add_person(new, Timestamp::now()).await?.id)
}

/// The people on a list: CSV with a column `student` (or `name`), and perhaps `id` and `address`.
fn read(path: &Path) -> Result<Vec<NewPerson>, Failed> {
    let wrong = |what: String| Failed::List { path: path.to_owned(), what };
    let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let list = ListFile::parse(&bytes).map_err(|error| wrong(error.to_string()))?;
    if let Some(remark) = &list.remark {
        tracing::warn!(list = %path.display(), "{remark}");
    }
    let name = list.column(&["student", "name"]);
    let name = name.ok_or_else(|| wrong("the list has no column `student`".to_owned()))?;
    let number = list.column(&["id", "number"]);
    let address = list.column(&["address", "email", "e-mail", "mail"]);
    let (mut people, mut seen) = (Vec::new(), BTreeSet::new());
    for row in &list.rows {
        let line = row.line;
        let name = row.field(Some(name)).ok_or_else(|| wrong(format!("line {line}: no name")))?;
        let (number, address) = (row.field(number), row.field(address));
        if let Some(address) = address.as_ref().filter(|address| !is_address(address)) {
            return Err(wrong(format!("line {line}: `{address}` is not a valid e-mail address")));
        }
        let key = address.as_ref().map(|address| address.to_lowercase());
        if !seen.insert(key.or(number.clone()).unwrap_or(format!("line {line}"))) {
            return Err(wrong(format!("line {line}: `{name}` is already on the list")));
        }
        people.push(NewPerson { name, address, number, is_administrator: false });
    }
    Ok(people)
}

#[cfg(test)]
mod tests {
    #[test]
    fn lists_say_who_and_complain_by_line() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("students.csv");
        let read = |text: &str| {
            std::fs::write(&path, text).expect("written");
            super::read(&path).map_err(|failed| failed.to_string())
        };
        let people = read("\u{feff}submission,Student,id,Email\nx,Ada,7,ada@x\ny,Bob,,\n");
        let people = people.expect("people");
        assert_eq!(people[0].number.as_deref(), Some("7"));
        assert_eq!((people[1].name.as_str(), &people[1].address), ("Bob", &None));
        assert!(read("id\n7\n").expect_err("no names").contains("no column `student`"));
        assert!(read("name,mail\nAda,nomail\n").expect_err("no @").contains("line 2: `nomail`"));
        assert!(
            read("name,id\nAda,7\nEve,7\n")
                .expect_err("two")
                .contains("line 3: `Eve` is already on")
        );
        let text = "name,id,mail\r\n\r\nAda,7,a@x\r\n,,\r\nEve,8,A@x\r\n";
        assert!(read(text).expect_err("one address").contains("line 5: `Eve` is already on"));
        assert!(read("student,id\n,7\n").expect_err("nobody").contains("line 2: no name"));
    }
}
