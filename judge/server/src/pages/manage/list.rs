//! Parses the list of people to invite. An invalid line refuses the whole list, because a person
//! invited under a wrong name or without an address is hard to find again.

use std::collections::BTreeSet;

use judge_report::composed;
use judge_store::{NewPerson, is_address};

use crate::web::RequestFailure;

/// People in lines `NAME`, `NAME, ADDRESS` or `NAME, ADDRESS, NUMBER`. Empty lines are left out.
pub(super) fn read(text: &str) -> Result<Vec<NewPerson>, RequestFailure> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let people: Vec<NewPerson> = lines.map(person).collect::<Result<_, _>>()?;
    let mut seen = BTreeSet::new();
    for one in &people {
        // Two people may have the same name only if their addresses differ.
        let key = composed(one.address.as_deref().unwrap_or(&one.name)).to_lowercase();
        if !seen.insert(key) {
            return Err(RequestFailure::Refused("refusal.list_twice", called(one)));
        }
    }
    Ok(people)
}

/// Name and, if present, address.
pub(super) fn called(person: &NewPerson) -> String {
    let parts = [Some(person.name.as_str()), person.address.as_deref()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn person(line: &str) -> Result<NewPerson, RequestFailure> {
    let wrong = || RequestFailure::Refused("refusal.list_line", line.chars().take(200).collect());
    let mut parts = line.split(',').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let mut next = || parts.next().filter(|part| !part.is_empty()).map(str::to_owned);
    let (address, number) = (next(), next());
    let is_name = !name.is_empty() && !name.contains(['@', '"', ';', '\t']);
    let is_right = is_name && address.as_deref().is_none_or(is_address) && parts.next().is_none();
    let (name, is_administrator) = (name.to_owned(), false);
    let person = NewPerson { name, address, number, is_administrator };
    if is_right { Ok(person) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_one_person_and_what_is_not_stops_the_list() {
        let people =
            read("Ada Lovelace, ada@example.org, 17\n\n  Bob\nCyd,cyd@example.org\nDee,,4\n");
        let people = people.expect("a list");
        let told: Vec<_> = people
            .iter()
            .map(|one| (called(one), one.number.clone().unwrap_or_default()))
            .collect();
        let told: Vec<_> =
            told.iter().map(|(who, number)| (who.as_str(), number.as_str())).collect();
        let expected = [
            ("Ada Lovelace, ada@example.org", "17"),
            ("Bob", ""),
            ("Cyd, cyd@example.org", ""),
            ("Dee", "4"),
        ];
        assert_eq!(told, expected);
        for line in [
            "Bob Ford bob@example.org",
            "ada@example.org",
            "12345,\"Doe, Jane\",jane@example.org",
            "Eve, not-an-address",
            "Eve, eve@x, 1, 2",
            "Eve; eve@example.org",
            ", eve@example.org",
            "Eve, eve@@example.org",
        ] {
            let wrong = read(&format!("Ada, ada@example.org\n{line}")).expect_err(line);
            assert_eq!(wrong, RequestFailure::Refused("refusal.list_line", line.to_owned()));
        }
        for twice in ["Ada, a@x\nAda L., A@x", "Bob\nBob", "Zoë\nZoe\u{308}"] {
            let wrong = read(twice).expect_err(twice);
            assert!(matches!(wrong, RequestFailure::Refused("refusal.list_twice", _)), "{wrong:?}");
        }
    }
}
