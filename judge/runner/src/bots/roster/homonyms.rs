//! Homonyms: submissions that could belong to several students on the list, and the lines of a
//! mapping that would distinguish them.

use std::collections::BTreeMap;

use judge_core::printable;

use super::Roster;
use super::matching::RosterCandidate;

impl Roster {
    /// Reports submissions that could belong to several students.
    pub(super) fn tell_of_homonyms(&mut self, left: &[RosterCandidate<'_>]) {
        let mut groups: BTreeMap<Vec<usize>, Vec<&str>> = BTreeMap::new();
        for one in left {
            if let Some(several) = self.several_for(one) {
                self.tell_of_several(one.name, &several);
                groups.entry(several).or_default().push(one.name);
            }
        }
        for (entries, names) in groups {
            let ids = entries.iter().filter_map(|at| self.entries[*at].student.id.clone());
            let ids: Vec<String> = ids.collect();
            if ids.len() == entries.len() {
                let names = names.into_iter().map(str::to_owned);
                self.to_map.extend(names.zip(ids.into_iter().cycle()).map(|(name, id)| [name, id]));
            }
        }
    }

    fn tell_of_several(&mut self, name: &str, several: &[usize]) {
        let who = several.iter().map(|at| {
            let entry = &self.entries[*at];
            match &entry.student.id {
                Some(id) => format!("`{}` ({})", printable(entry.shown(), 60), printable(id, 30)),
                None => format!("`{}`", printable(entry.shown(), 60)),
            }
        });
        let text = format!(
            "`{}` could belong to {} students: {}; its name in the column `submission` decides",
            printable(name, 60),
            several.len(),
            who.collect::<Vec<_>>().join(", ")
        );
        if !self.remarks.contains(&text) {
            self.remarks.push(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Clues;
    use super::super::RosterEntry;
    use super::*;

    fn roster() -> Roster {
        let entry = |id: &str| {
            let (name, id) = (Some("Ann Lee".to_owned()), Some(id.to_owned()));
            RosterEntry { name, id, ..RosterEntry::default() }
        };
        let list = ["07", "8"].map(|id| (id.to_owned(), entry(id)));
        Roster::new(BTreeMap::from(list))
    }

    fn take(roster: &mut Roster, names: &[&str]) {
        let named = names.iter().map(|name| ((*name).to_owned(), vec![Clues::from_name(name)]));
        roster.take(&named.collect::<Vec<_>>());
    }

    const NAMES: [&str; 2] =
        ["Ann Lee_1201_assignsubmission_file_", "Ann Lee_1202_assignsubmission_file_"];

    #[test]
    fn a_mapping_distinguishes_homonyms_and_is_proposed() {
        let mut open = roster();
        take(&mut open, &NAMES);
        assert_eq!(open.matched(), 0);
        let lines = [[NAMES[0], "07"], [NAMES[1], "8"]].map(|line| line.map(str::to_owned));
        assert_eq!(open.to_map(), lines);
        let swapped = [(NAMES[0], "8"), (NAMES[1], "07")];
        let swapped = swapped.map(|(name, id)| (name.to_owned(), id.to_owned()));
        let mut decided = roster().with_mapping(BTreeMap::from(swapped));
        take(&mut decided, &NAMES);
        assert_eq!((decided.matched(), decided.to_map().len()), (2, 0));
        assert_eq!(decided.students()[NAMES[0]].id.as_deref(), Some("8"));
    }

    #[test]
    fn an_id_without_leading_zeros_is_only_suggested() {
        let mut roster = roster();
        take(&mut roster, &["7"]);
        assert_eq!(roster.matched(), 0);
        let told = roster.remarks().join("\n");
        let expected = "`7` has the number `7`, and the list has `07` of `Ann Lee`: a spreadsheet";
        assert!(told.contains(expected), "{told}");
    }
}
