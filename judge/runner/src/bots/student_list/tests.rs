use judge_core::Event;

use super::*;

type Students = BTreeMap<String, RosterEntry>;

/// Reads a list as grading does: its students or the error, and the warnings.
fn read(text: impl AsRef<[u8]>) -> (Result<Students, String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("students.csv");
    std::fs::write(&path, text).unwrap();
    let mut told = Vec::new();
    let mut events = |event: &Event| {
        if let Event::Warning { text } = event {
            told.push(text.clone());
        }
        Ok(())
    };
    let list = StudentList::read(&path).and_then(|list| list.into_students(&mut events));
    (list.map_err(|failure| failure.to_string()), told)
}

fn students(text: &str) -> Students {
    read(text).0.unwrap()
}

#[test]
fn ids_lose_invisible_characters() {
    let list = students(
        "submission,student,id,login\na,Ada,\u{200b}07\u{feff},ad\u{ad}a\nb,\u{2060},\u{200b},\n",
    );
    let (id, login) = (list["a"].id.as_deref(), list["a"].login.as_deref());
    assert_eq!((id, login), (Some("07"), Some("ada")));
    assert_eq!(list["b"].id, None);
    let (twice, _) = read("submission,id\na,7\nb,7\u{200b}\n");
    assert!(twice.unwrap_err().contains("the id `7` is already in line 2"));
}

#[test]
fn errors_in_a_student_list_name_their_line() {
    let list = students("Submission, group,student,id\na1.wasm,x,\"Ada, L.\",7\nb2,,,\n");
    let ada = RosterEntry {
        name: Some("Ada, L.".to_owned()),
        id: Some("7".to_owned()),
        group: Some("x".to_owned()),
        ..RosterEntry::default()
    };
    assert_eq!(list["a1"], ada);
    assert_eq!(list["b2"], RosterEntry::default());
    let absent = students("\u{feff}submission,student,id,Email\n,Nobody,3,n@x\n");
    assert_eq!(absent["Nobody"].id.as_deref(), Some("3"));
    assert_eq!(absent["Nobody"].address.as_deref(), Some("n@x"));
    let homonyms = students("submission,student,id\n,Ann,4\n,Ann,5\n,Bob,6\n");
    assert_eq!(homonyms.keys().collect::<Vec<_>>(), ["4", "5", "Bob"]);
    for (text, wrong) in [
        ("submission,student\n,Ann\n,Ann\n", "line 2: several students are called `Ann`"),
        ("submission,student\na,\"open,1\nb,B\n", "line 2: a field continues"),
        ("Nam,Notiz\nx,1\n", "no column identifies a student; the first line has `Nam`, `Notiz`"),
        ("submision\nx\n", "has `submision`; is `submision` misspelt?"),
        ("ada,17\nbob,18\n", "no column identifies a student"),
        ("submission,student\n", "students.csv` lists no students: it has only a first line"),
        ("", "students.csv` is empty"),
        ("\r\n,,\r\n", "students.csv` is empty"),
        ("submission\nx\nx\n", "line 3: the submission `x` is already in line 2"),
        ("submission,id\nx,7\ny,8\nz,7\n", "line 4: the id `7` is already in line 2"),
        ("submission,address\nx,a@b\ny,A@b\n", "line 3: the address `a@b` is already"),
        ("id,login\n1,Ada\n2,ada\n", "line 3: the login `ada` is already in line 2"),
        (
            "submission,student\na,A\nb,King, Ada\n",
            "line 3: expected 2 fields as in the first line",
        ),
        ("submission,student\na\n", "line 2: expected 2 fields as in the first line, found 1"),
        ("submission,group\n,x\n", "line 2: no submission, no student"),
        ("PK\u{3}\u{4}\n", "expected a text, found a workbook"),
    ] {
        let error = read(text).0.unwrap_err();
        assert!(error.contains(wrong), "{error}");
    }
    let loud = students("submission\nADA.WASM\nä.Wasm\n.wasm\nwasm\n");
    assert_eq!(loud.keys().collect::<Vec<_>>(), [".wasm", "ADA", "wasm", "ä"]);
}

#[test]
fn columns_come_in_any_order_with_any_separator() {
    let titles = ["E-Mail", "Matrikelnummer", "Nachname", "Benutzername", "Vorname", "Notiz"];
    let values = ["ada@uni.edu", "0012", "King, Countess", "ada1", "Ada", "x; y\tz"];
    let expected = RosterEntry {
        name: Some("Ada King, Countess".to_owned()),
        id: Some("0012".to_owned()),
        login: Some("ada1".to_owned()),
        address: Some("ada@uni.edu".to_owned()),
        ..RosterEntry::default()
    };
    for first in 0..titles.len() {
        for separator in [",", ";", "\t"] {
            let line = |fields: [&str; 6]| {
                let fields = (0..6).map(|at| format!("\"{}\"", fields[(at + first) % 6]));
                fields.collect::<Vec<_>>().join(separator) + "\n"
            };
            let (list, told) = read(line(titles) + &line(values));
            let list = list.unwrap();
            assert_eq!(list.values().collect::<Vec<_>>(), [&expected], "{first} {separator:?}");
            assert_eq!(told, Vec::<String>::new());
        }
    }
}

#[test]
fn first_and_last_names_are_joined_in_the_usual_order() {
    for (text, name) in [
        ("First name,Last name,id\nAda,King,7\n", "Ada King"),
        ("Name;Vorname;id\nKing;Ada;7\n", "Ada King"),
        ("name,first name,id\nAda King,Ada,7\n", "Ada King"),
        ("Nachname, Vorname;id\nKing, Ada;7\n", "Ada King"),
        ("Vorname;Nachname;id\n;King;7\n", "King"),
        ("full name,first name,last name,id\nAda of Kent,Ada,King,7\n", "Ada of Kent"),
    ] {
        let list = students(text);
        let names: Vec<_> = list.values().map(|one| one.name.as_deref().unwrap()).collect();
        assert_eq!(names, [name], "{text}");
    }
}

#[test]
fn only_an_unambiguous_column_is_used() {
    let (list, told) = read("name,id,Matrikelnummer\nAda,1,0012\nBob,2,0013\n");
    assert_eq!(list.unwrap()["Ada"].id.as_deref(), Some("1"));
    assert!(told[0].ends_with("`Matrikelnummer` is ignored, because there is `id`"), "{told:?}");
    let equal = students("name,Student ID,Matrikelnummer\nAda,1,1\nBob,2,2\n");
    assert_eq!(equal["Bob"].id.as_deref(), Some("2"));
    for (text, wrong) in [
        (
            "name,Student ID,Matrikelnummer\nAda,1,0012\n",
            "2 columns could be the id: `Student ID`, `Matrikelnummer`",
        ),
        ("name,id,id\nAda,1,2\n", "2 columns could be the id: `id`, `id`"),
        ("id,email,mail\n1,a@b,c@d\n", "2 columns could be the address: `email`, `mail`"),
    ] {
        let error = read(text).0.unwrap_err();
        assert!(error.contains(wrong), "{error}");
    }
}

#[test]
fn columns_that_look_misspelt_are_reported() {
    let misspelt = |text: &str| read(text).1;
    let told = misspelt("submission,group,Sudent,adress,points,grade\nx,,,,,\n");
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].ends_with("the column `Sudent` is ignored; did you mean `student`?"));
    assert!(told[1].ends_with("the column `adress` is ignored; did you mean `address`?"));
    let told = misspelt("submission,mails,Email,students,student\nx,,,,\n");
    assert_eq!(told, Vec::<String>::new());
}

#[test]
fn a_submission_in_two_lines_needs_one_group() {
    let (list, told) = read("submission,student,group\nx,Ada,g\nx,Bob,g\nx.wasm,Cy,g\n");
    let list = list.unwrap();
    assert_eq!(list.keys().collect::<Vec<_>>(), ["Bob", "Cy", "x"]);
    assert!(list.values().all(|one| one.group.as_deref() == Some("g")) && told.is_empty());
    let (other, _) = read("submission,student,group\r\nx,Ada,g\r\n\r\nx,Bob,h\r\n");
    assert!(other.unwrap_err().contains("line 4: the submission `x` is already in line 2"));
    let (_, told) = read("submission,id\nx,1.2346E+11\ny,E+7\nz,12E3\n");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("line 2: a spreadsheet has rounded the id `1.2346E+11`"), "{told:?}");
}

#[test]
fn a_moodle_worksheet_is_recognised_by_its_identifiers() {
    let identifier = |text: &str| {
        let list = students(text);
        list.values().next().and_then(|one| one.identifier.clone())
    };
    let worksheet = |titles: &str, row: &str| identifier(&format!("{titles}\n{row}\n"));
    for (titles, row) in [
        ("Identifier,Full name,Status", "Participant 12,Ada King,-"),
        ("Identifier,Status,Grade", "Participant 12,-,"),
        ("ID,Status,Bewertung", "Teilnehmer/in12,-,"),
        ("Identificador,Nombre completo", "Participante 12,Ada King"),
        ("Identifiant,Nom complet,Modifié (travail),Modifié (note)", "Membre 12,Ada King,-,-"),
    ] {
        let found = worksheet(titles, row);
        assert_eq!(found.as_deref(), row.split(',').next(), "{titles}");
    }
    for (titles, row) in [
        ("id,student", "s12,Ada King"),
        ("id,student", "participant,Ada King"),
        ("id,student,Lab (1),Lab (2)", "12,Ada King,,"),
        ("identifier,student", "Ada 12,Ada King"),
    ] {
        assert_eq!(worksheet(titles, row), None, "{titles}");
    }
}

#[test]
fn identifiers_on_github_classroom_are_numbers_names_or_addresses() {
    let list = |rows: &str| {
        let titles = "\"identifier\",\"github_username\",\"github_id\",\"name\"\n";
        students(&(titles.to_owned() + rows)).into_values().next().unwrap()
    };
    let entry = list("0012,ada1,99,Ada K\n");
    assert_eq!((entry.id.as_deref(), entry.name.as_deref()), (Some("0012"), Some("Ada K")));
    assert_eq!(entry.login.as_deref(), Some("ada1"));
    let entry = list("Ada King,ada1,99,Countess\n");
    assert_eq!((entry.id.as_deref(), entry.name.as_deref()), (Some("ada1"), Some("Ada King")));
    let entry = list("ada@uni.edu,,,\n");
    assert_eq!((entry.id, entry.address.as_deref()), (None, Some("ada@uni.edu")));
}

#[test]
fn staff_and_lines_of_a_gradebook_are_not_students() {
    let (list, _) = read(
        "First Name,Last Name,SID,Email,Role\nAda,King,1,a@u,Student\nTim,Ant,2,t@u,TA\n\
         Eve,Ant,3,e@u,\"Teacher, Student\"\nIda,Ant,4,i@u,Instructor\n",
    );
    let list = list.unwrap();
    assert_eq!(list.keys().collect::<Vec<_>>(), ["Ada King", "Eve Ant"]);
    let (list, _) = read(
        "Student,ID,SIS User ID,SIS Login ID,Section,Name (1)\n,,,,,Manual Posting\n\
         \"    Points Possible\",,,,,10.0\n\"King, Ada\",4711,0012,ada1,A,\n\
         \"Test, Student\",4712,0013,stu,A,\n\"Student, Test\",4713,,6fa9,A,\n",
    );
    let list = list.unwrap();
    assert_eq!(list.keys().collect::<Vec<_>>(), ["Ada King", "Student Test"]);
    let ada = &list["Ada King"];
    let known = [&ada.id, &ada.login, &ada.identifier].map(Option::as_deref);
    assert_eq!(known, [Some("0012"), Some("ada1"), Some("4711")]);
    let (list, _) = read("Student,ID,Section,Lab\nPoints Possible,,,10\n\"King, Ada\",4711,A,\n");
    assert_eq!(list.unwrap()["Ada King"].identifier.as_deref(), Some("4711"));
    let (list, _) = read("Student,ID,Section,Lab\nPoints Possible,,,10\n");
    assert!(list.unwrap_err().ends_with("lists no students: its only row is not a student"));
}
