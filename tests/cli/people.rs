//! Identities in a course: spellings, encodings, groups, homonyms, copies of one module.

use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};
use std::path::PathBuf;

use crate::support::{Ran, run, sample, says, write};

const BOT: &str = "mahjong-distance";
const OTHER: &str = "mahjong-straightforward";

/// A course on a suite of one testcase of Mahjong.
struct PeopleCourse(tempfile::TempDir);

impl PeopleCourse {
    fn new() -> PeopleCourse {
        let course = PeopleCourse(tempfile::tempdir().unwrap());
        for folder in ["suite", "in"] {
            std::fs::create_dir(course.path(folder)).unwrap();
        }
        write(&course.path("suite"), "suite.toml", "title = \"x\"\n");
        let case = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1, 2]\n\
                    min_score = 1\npoints = 10\n";
        write(&course.path("suite"), "01.toml", case);
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// Adds modules below a folder.
    fn put(&self, folder: &str, files: &[(&str, &str)]) {
        for (name, bot) in files {
            let path = self.path(folder).join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::copy(sample(bot), path).unwrap();
        }
    }

    fn grade(&self, submissions: &str, list: &[u8], more: &[&str]) -> Ran {
        let list = write(self.0.path(), "students.csv", list).display().to_string();
        let [submissions, suite, out] = [submissions, "suite", "out"].map(|name| self.text(name));
        let fixed = ["grade", &submissions, "--suite", &suite, "--out", &out, "--students", &list];
        if self.path("out").exists() && !more.contains(&"--resume") {
            std::fs::remove_dir_all(self.path("out")).unwrap();
        }
        run(fixed.iter().chain(more))
    }

    /// Id, points and verdict by student.
    fn marks(&self) -> BTreeMap<String, [String; 3]> {
        let mut reader = csv::Reader::from_path(self.path("out/marks.csv")).unwrap();
        let rows = reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
        let fields = |row: &BTreeMap<String, String>| {
            ["id", "points", "worst_verdict"].map(|key| row[key].clone())
        };
        rows.map(|row| (row["student"].clone(), fields(&row))).collect()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }
}

fn passed(id: &str) -> [String; 3] {
    [id, "10", "Accepted"].map(str::to_owned)
}

#[test]
fn names_that_macos_wrote_match_the_list() {
    let course = PeopleCourse::new();
    let korean = "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}.wasm";
    course.put("in", &[("mu\u{308}ller.wasm", BOT), ("Z\u{30c}iz\u{30c}ek/bot.wasm", BOT)]);
    course.put("in", &[(korean, BOT), ("bob.wasm", BOT)]);
    let list = "submission,student,id\nmüller,Jürgen Müller,1\nŽižek,Slavoj Žižek,2\n한글,Kim,3\n\
                bob,Bob,4\n";
    let ran = course.grade("in", list.as_bytes(), &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let marks = course.marks();
    assert_eq!(marks.len(), 4, "{marks:?}");
    for (name, id) in [("Jürgen Müller", "1"), ("Slavoj Žižek", "2"), ("Kim", "3"), ("Bob", "4")]
    {
        assert_eq!(marks[name], passed(id), "{name}");
    }
    // A list in the other Unicode form is the same list.
    let other = list.replace('ü', "u\u{308}").replace('ž', "z\u{30c}");
    assert_eq!(course.grade("in", other.as_bytes(), &[]).code, 0);
    assert_eq!(course.marks(), marks);
    let near = list.replace("bob,Bob", "bobb,Robert").replace("müller,Jürgen", "MÜLLER,Jürgen");
    let ran = course.grade("in", near.as_bytes(), &[]);
    says(&ran.stdout, &["bob: matches no student on the list; did you mean `bobb`?"]);
}

#[test]
fn a_student_list_can_be_any_export_of_a_spreadsheet() {
    let course = PeopleCourse::new();
    course.put("in", &[("Jürgen Müller_1001_assignsubmission_file_/bot.wasm", BOT)]);
    let list = "submission,student,id,,\r\n,Jürgen Müller,0012345,,\r\n,Zoë,0012347,,\r\n,,,,\r\n";
    let tabs: String = list.replace(',', "\t");
    let utf16: Vec<u8> = tabs.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let western: Vec<u8> = list.chars().map(|letter| letter as u8).collect();
    for (name, bytes) in [
        ("trailing commas", list.as_bytes().to_vec()),
        ("UTF-16", [&[0xff, 0xfe], &utf16[..]].concat()),
        ("Windows-1252", western),
    ] {
        let ran = course.grade("in", &bytes, &[]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        assert_eq!(course.marks()["Jürgen Müller"], passed("0012345"), "{name}");
        assert_eq!(course.marks().len(), 2, "{name}");
        assert_eq!(ran.stderr.contains("was read as Windows-1252"), name == "Windows-1252");
    }
    let ran = course.grade("in", b"submission,student\n,\xcd\xf5\xb7\xbc\n", &[]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    says(&ran.stderr, &["students.csv`: the text is in GBK: save the list as `CSV UTF-8`"]);
    for ending in ["\n", "\r\n"] {
        let twice = "submission,id\n\nada,7\n\n\nbob,7\n".replace('\n', ending);
        let ran = course.grade("in", twice.as_bytes(), &[]);
        says(&ran.stderr, &["line 6: the id `7` is already in line 3"]);
    }
}

#[test]
fn ids_without_their_leading_zeros_get_a_suggestion() {
    let course = PeopleCourse::new();
    course.put("in", &[("123.wasm", BOT), ("ada.wasm", BOT)]);
    let ran = course.grade("in", b"submission,student,id\n,Bob,00123\nada,Ada,7\n", &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stderr, &["`123` has the number `123`, and the list has `00123` of `Bob`"]);
    assert_eq!(course.marks()["Bob"][1], "0", "never a silent match");
}

#[test]
fn names_in_an_archive_are_decoded_by_its_system() {
    let course = PeopleCourse::new();
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["@@@@_12_assignsubmission_file_/bot.wasm", "ada.wasm"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&std::fs::read(sample(BOT)).unwrap()).unwrap();
    }
    let mut bytes = zip.finish().unwrap().into_inner();
    while let Some(at) = bytes.windows(7).position(|window| window == b"@@@@_12") {
        bytes[at..at + 4].copy_from_slice(b"\xcd\xf5\xb7\xbc");
    }
    write(course.0.path(), "in.zip", bytes);
    let ran = course.grade("in.zip", "submission,student,id\n,王芳,5\nada,Ada,6\n".as_bytes(), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stderr, &["in the archive 1 name is not in UTF-8 and read as GBK: `王芳_12_"]);
    assert_eq!(course.marks()["王芳"], passed("5"));
}

#[test]
fn copies_of_one_module_count_once() {
    let course = PeopleCourse::new();
    course.put(
        "in",
        &[("ada/target/release/bot.wasm", BOT), ("ada/target/release/deps/b.wasm", BOT)],
    );
    course.put("in", &[("bob/a.wasm", BOT), ("bob/b.wasm", OTHER)]);
    let ran = course.grade("in", b"submission\nada\nbob\n", &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let told =
        "`ada`: `target/release/bot.wasm` was taken; identical: `target/release/deps/b.wasm`";
    says(&ran.stderr, &[told]);
    assert_eq!(course.marks()["ada"], passed(""));
    assert_eq!(course.marks()["bob"][2], "Invalid module");
    let [ada, suite] = ["in/ada", "suite"].map(|name| course.text(name));
    let ran = run(["grade", &ada, "--suite", &suite]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stderr, &["`target/release/bot.wasm` was taken"]);
}

#[test]
fn every_member_of_a_group_has_a_row_with_the_mark() {
    let course = PeopleCourse::new();
    course.put("in", &[("x.wasm", BOT), ("team 2.wasm", BOT), ("cy.wasm", OTHER)]);
    let list = b"submission,student,id,group\nx,Ada,1,team 1\nx,Bob,2,team 1\ncy,Cy,3,team 2\n\
                 ,Dan,4,team 2\n,Eve,5,\n";
    let ran = course.grade("in", list, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(
        &ran.stderr,
        &[
            "`Cy` submitted `cy` individually, and the group `team 2` has `team 2`: the first one",
            "submissions that count for members of a group: `x` for 2 of `team 1`, `team 2` for 1",
        ],
    );
    says(&ran.stdout, &["3 submissions graded", "list: 5 students, 1 of them without a module; 0"]);
    let marks = course.marks();
    for (name, id) in [("Ada", "1"), ("Bob", "2"), ("Cy", "3"), ("Dan", "4")] {
        assert_eq!(marks[name], passed(id), "{name}");
    }
    assert_eq!((marks["Eve"][1].as_str(), marks.len()), ("0", 5));
    assert!(course.read("out/students/x.html").contains("Ada, Bob"));
    let sent = course.read("out/send.csv");
    assert_eq!(sent.matches("send/x.zip").count(), 2, "{sent}");
    let before = course.read("out/marks.csv");
    // A run that is resumed without the list still has it.
    let [input, suite, out] = ["in", "suite", "out"].map(|name| course.text(name));
    let ran = run(["grade", &input, "--suite", &suite, "--out", &out, "--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(course.read("out/marks.csv"), before);
    let scoreboard = run(["scoreboard", &out, "--pseudonyms"]);
    assert_eq!(scoreboard.code, 0, "{}", scoreboard.stderr);
    let names = course.read("out/pseudonyms.csv");
    let pseudonym = |student: &str| {
        let line = names.lines().find(|line| line.starts_with(&format!("{student},"))).unwrap();
        line.split(',').nth(1).unwrap().to_owned()
    };
    assert_eq!(pseudonym("Ada"), pseudonym("Bob"), "their page has one");
    assert_ne!(pseudonym("Ada"), pseudonym("Dan"));
}

#[test]
fn a_mapping_distinguishes_homonyms_over_several_labs() {
    let course = PeopleCourse::new();
    let name = |who: &str, number: u32| format!("{who}_{number}_assignsubmission_file_/bot.wasm");
    for (lab, first) in [("lab1", 100), ("lab2", 200)] {
        let [one, other, eve, blind] = [
            name("Anna Müller", first + 1),
            name("Anna Müller", first + 2),
            name("Group 1-Eve Ant", first + 3),
            name("Participant 16", first + 4),
        ];
        course.put(lab, &[(&one, BOT), (&other, OTHER), (&eve, BOT), (&blind, BOT)]);
    }
    let list = "submission,student,id\nAnna Müller_101_assignsubmission_file_,Anna Müller,0071\n\
                Anna Müller_102_assignsubmission_file_,Anna Müller,0072\n,Eve Ant,0073\n\
                Participant 16_104_assignsubmission_file_,Pat Blind,0074\n";
    write(course.0.path(), "list.csv", list);
    let describe = |more: &str| {
        let suite = |lab: &str| {
            format!("[[suite]]\nname = \"{lab}\"\npath = \"suite/\"\nsubmissions = \"{lab}\"\n")
        };
        let text = format!(
            "title = \"x\"\nstudents = \"list.csv\"\n{more}\n{}{}",
            suite("lab1"),
            suite("lab2")
        );
        write(course.0.path(), "course.toml", text);
    };
    let grade = |more: &[&str]| {
        let [file, out] = ["course.toml", "out"].map(|name| course.text(name));
        if course.path("out").exists() {
            std::fs::remove_dir_all(course.path("out")).unwrap();
        }
        run(["grade", "--course", &file, "--out", &out].iter().chain(more))
    };
    describe("");
    let ran = grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let lines = "  download,id,suite\n  Anna Müller_201_assignsubmission_file_,0071,lab2\n  \
                 Anna Müller_202_assignsubmission_file_,0072,lab2\n";
    says(&ran.stdout, &[lines, "`mapping = \"FILE\"`"]);
    assert_eq!(course.read("out/marks.csv").matches("Anna Müller,").count(), 4);
    let text: String = lines.lines().map(|line| format!("{}\n", line.trim())).collect();
    let mapping = write(course.0.path(), "names.csv", &text).display().to_string();
    describe("mapping = \"names.csv\"");
    for more in [&[][..], &["--mapping", &mapping]] {
        let ran = grade(more);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(!ran.stdout.contains("homonyms"), "{}", ran.stdout);
        let mut reader = csv::Reader::from_path(course.path("out/marks.csv")).unwrap();
        let rows = reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
        let sums: Vec<[String; 2]> =
            rows.map(|row| ["id", "points"].map(|key| row[key].clone())).collect();
        let expected = ["0071", "0072", "0073", "0074"].map(|id| [id, "20"].map(str::to_owned));
        let mut sorted = sums.clone();
        sorted.sort();
        assert_eq!(sorted, expected, "one row and one sum for each");
    }
    for (from, to, told) in [
        (
            "0072,lab2",
            "72,lab2",
            "line 3: the id `72` is not on the list of students; did you mean `0072`?",
        ),
        ("0072,lab2", "0072,lab3", "line 3: no suite `lab3` in the course: it has lab1, lab2"),
        (
            "Müller_202",
            "Müller_201",
            "line 3: `Anna Müller_201_assignsubmission_file_` is already in line 2",
        ),
        ("download", "file", "expected the columns `download` and `id`"),
    ] {
        write(course.0.path(), "names.csv", text.replace(from, to));
        let ran = grade(&[]);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        says(&ran.stderr, &["names.csv`", told]);
    }
    write(course.0.path(), "names.csv", text.replace("Müller_202", "Müller_909"));
    says(
        &grade(&[]).stderr,
        &["not among the submissions: `Anna Müller_909_assignsubmission_file_`"],
    );
}
