//! What was handed in: files and folders, one of each per student, and the list of students.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, FileType};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use judge_arena::Submission;
use judge_core::{Blame, BotIdentity, Refused, Verdict, digest};
use judge_grading::{Links, open_file, open_in_folder, read_opened};
use judge_report::tame;
use judge_sandbox::intake::{self, MAX_MODULE_BYTES};

use super::names::tell_apart;
use crate::failure::Failure;

/// Something that was handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HandedIn {
    /// What it is called: its file's name without the ending, or its folder's name; nobody else is
    /// called so.
    pub(super) name: String,
    /// The file, or the folder that holds it.
    pub(super) path: PathBuf,
    /// What it was when it was found.
    pub(super) kind: Kind,
}

/// What lies there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    /// To whatever: it could be somebody else's work, or no end of bytes.
    Link,
    /// A pipe, a socket, a device.
    Other,
}

/// Finds what was handed in: a file stands for itself, a folder for all that lies in it. In the
/// order of the names, each of which is there once. Says on standard error whom it had to rename.
pub(super) fn find(paths: &[PathBuf]) -> Result<Vec<HandedIn>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        let unreadable = |source| Failure::Read { path: path.clone(), source };
        // A folder that somebody names may be a link; so may be none that lies among submissions.
        if path.is_dir() {
            found.extend(in_folder(path)?);
        } else {
            let found_here = std::fs::symlink_metadata(path).map_err(unreadable)?;
            found.push(handed_in(path.clone(), kind(found_here.file_type())));
        }
    }
    refuse_what_is_named_twice(&found)?;
    for line in tell_apart(&mut found) {
        // A standard error that is gone changes no result.
        let _ = writeln!(std::io::stderr(), "{}", tame(&line));
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    match found.is_empty() {
        false => Ok(found),
        true => {
            let folders = paths.iter().map(|path| format!("`{}`", path.display()));
            let what = format!("no submissions in {}", folders.collect::<Vec<_>>().join(", "));
            let hint = "a submission is a `.wasm` file, or a folder with one in it".to_owned();
            Err(Failure::Input { what, hint: Some(hint) })
        }
    }
}

/// A file that is named twice, or beside its folder, is one submission all the same.
fn refuse_what_is_named_twice(found: &[HandedIn]) -> Result<(), Failure> {
    let mut folders: BTreeMap<&Path, Option<PathBuf>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for one in found {
        let folder = one.path.parent().unwrap_or(Path::new(""));
        let real = folders.entry(folder).or_insert_with(|| {
            let named = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            named.canonicalize().ok()
        });
        let place =
            real.as_deref().unwrap_or(folder).join(one.path.file_name().unwrap_or_default());
        if !seen.insert(place) {
            let what = format!("`{}` is named twice", one.path.display());
            return Err(Failure::usage(
                what,
                "name each file, or the folder that it lies in, once",
            ));
        }
    }
    Ok(())
}

/// What lies in a folder and is a submission: modules, folders, and what is there in the place of
/// one; hidden ones and other files are not.
fn in_folder(folder: &Path) -> Result<Vec<HandedIn>, Failure> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        let kind =
            std::fs::symlink_metadata(&path).map_or(Kind::Other, |found| kind(found.file_type()));
        let taken = match kind {
            Kind::Folder => true,
            // One that leads nowhere may have been to a folder.
            Kind::Link => {
                is_module(&path) || !std::fs::metadata(&path).is_ok_and(|to| !to.is_dir())
            }
            Kind::File | Kind::Other => is_module(&path),
        };
        if taken {
            found.push(handed_in(path, kind));
        }
    }
    Ok(found)
}

fn kind(found: FileType) -> Kind {
    match found {
        found if found.is_symlink() => Kind::Link,
        found if found.is_dir() => Kind::Folder,
        found if found.is_file() => Kind::File,
        _ => Kind::Other,
    }
}

/// What lies in a folder and is somebody's work: nothing hidden, and not what macOS packs beside it.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |source| Failure::Read { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name();
        if !name.as_encoded_bytes().starts_with(b".") && name != "__MACOSX" {
            found.push(entry.path());
        }
    }
    Ok(found)
}

fn is_module(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wasm"))
}

fn handed_in(path: PathBuf, kind: Kind) -> HandedIn {
    let whole = kind == Kind::Folder || kind == Kind::Link && !is_module(&path);
    let stem = if whole { path.file_name() } else { path.file_stem() };
    let name = stem.unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    HandedIn { name, path, kind }
}

impl HandedIn {
    /// Reads the module and lets intake look at it. What cannot be read is graded all the same:
    /// with the reason, and nothing else stops.
    pub(super) fn load(&self, check: &dyn Fn(&mut Submission)) -> Submission {
        let (module, refused) = match self.read() {
            Ok(module) => {
                let refused = intake::inspect(&module).err();
                (module, refused.map(|refusal| Refused::new(refusal.to_string())))
            }
            Err(refused) => (Vec::new(), Some(refused)),
        };
        let info = intake::inspect(&module).ok();
        let author = info.and_then(|info| info.manifest.author);
        let bot = BotIdentity { name: self.name.clone(), sha256: digest(&module), author };
        let mut submission = Submission { bot, module, refused };
        check(&mut submission);
        submission
    }

    fn read(&self) -> Result<Vec<u8>, Refused> {
        match self.kind {
            Kind::Link => return Err(Refused::new(format!("it is a link\n{NO_LINK}"))),
            Kind::Other => return Err(Refused::new(NO_FILE.to_owned())),
            Kind::File => return read(&self.path, open_file(&self.path, Links::Refused)),
            Kind::Folder => {}
        }
        let entries = entries(&self.path).map_err(|failure| unreadable(&failure))?;
        let mut modules = entries.into_iter().filter(|path| is_module(path));
        match (modules.next(), modules.next()) {
            (Some(only), None) if only.is_symlink() => {
                Err(Refused::new(format!("the `.wasm` file in the folder is a link\n{NO_LINK}")))
            }
            (Some(only), None) => {
                let name = only.file_name().unwrap_or_default();
                read(&only, open_in_folder(&self.path, name))
            }
            (None, _) => Err(Refused::new(
                "there is no `.wasm` file in the folder\nhint: hand in the built module".to_owned(),
            )),
            _ => Err(Refused::new(
                "there are several `.wasm` files in the folder\nhint: hand in one".to_owned(),
            )),
        }
    }
}

const NO_LINK: &str = "hint: hand in the module itself";
const NO_FILE: &str = "it is no file that can be read";

fn read(path: &Path, opened: std::io::Result<File>) -> Result<Vec<u8>, Refused> {
    let failed = |source: std::io::Error| match source.kind() {
        ErrorKind::InvalidInput | ErrorKind::IsADirectory => Refused::new(NO_FILE.to_owned()),
        _ => unreadable(&Failure::Read { path: path.to_owned(), source }),
    };
    let file = opened.map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    if size > MAX_MODULE_BYTES as u64 {
        let most = MAX_MODULE_BYTES >> 20;
        return Err(Refused::new(format!("the file has {size} bytes; the most is {most} MiB")));
    }
    read_opened(file, MAX_MODULE_BYTES as u64).map_err(failed)
}

/// Nobody can tell whose fault it is, so it is not the student's.
fn unreadable(failure: &Failure) -> Refused {
    let detail = failure.to_string();
    Refused { verdict: Verdict::JudgeError, blame: Blame::Judge, detail }
}

/// What the list of students says of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Student {
    /// Their name, to be shown instead of the submission's.
    pub(super) name: Option<String>,
    /// Their number or login.
    pub(super) id: Option<String>,
}

/// Reads a list of students: CSV with a column `submission` and, if wanted, `student` and `id`.
/// Other columns are ignored.
pub(super) fn students(path: &Path) -> Result<BTreeMap<String, Student>, Failure> {
    let text = Failure::read_text(path)?;
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes());
    let wrong = |error: csv::Error| Failure::input(path, &error);
    let header = reader.headers().map_err(wrong)?.clone();
    let column = |name: &str| header.iter().position(|title| title.eq_ignore_ascii_case(name));
    let Some(submission) = column("submission") else {
        let what = "the list of students has no column `submission`";
        let hint = "its first line is `submission,student,id`; a submission is called like its \
                    file without `.wasm`";
        let what = format!("`{}`: {what}", path.display());
        return Err(Failure::Input { what, hint: Some(hint.to_owned()) });
    };
    let (name, id) = (column("student"), column("id"));
    let (mut students, mut ids) = (BTreeMap::new(), BTreeMap::new());
    for record in reader.records() {
        let record = record.map_err(wrong)?;
        let field = |at: Option<usize>| {
            let text = at.and_then(|at| record.get(at)).unwrap_or_default();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let line = record.position().map_or(0, csv::Position::line);
        if record.iter().any(|field| field.contains('\n')) {
            let what = format!("line {line}: a field goes on in the next line: an open quote?");
            return Err(Failure::input(path, &what));
        }
        // Who handed in nothing may stand there without a submission.
        let key = field(Some(submission)).or_else(|| field(name)).or_else(|| field(id));
        let Some(key) = key else { continue };
        let key = without_ending(&key).to_owned();
        if let Some(id) = field(id)
            && let Some(before) = ids.insert(id.clone(), line)
        {
            let what = format!("line {line}: the id `{id}` stands in line {before}, too");
            return Err(Failure::input(path, &what));
        }
        if students.insert(key.clone(), Student { name: field(name), id: field(id) }).is_some() {
            let what = format!("line {line}: `{key}` stands in the list twice");
            return Err(Failure::input(path, &what));
        }
    }
    Ok(students)
}

/// A submission's name out of its file's: `.WASM` is an ending as well.
fn without_ending(file: &str) -> &str {
    let at = file.len().saturating_sub(".wasm".len());
    match (file.get(..at), file.get(at..)) {
        (Some(name), Some(ending)) if at > 0 && ending.eq_ignore_ascii_case(".wasm") => name,
        _ => file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_submissions_and_hidden_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["zoe.wasm", "notes.txt", ".hidden.wasm"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        for name in ["adam", "__MACOSX"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        std::fs::write(folder.path().join("adam/._bot.wasm"), "x").unwrap();
        let found = find(&[folder.path().to_owned()]).unwrap();
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["adam", "zoe"]);
        let empty = found[0].load(&|_| {}).refused.unwrap();
        assert!(empty.detail.contains("no `.wasm` file"), "{}", empty.detail);
        std::fs::write(folder.path().join("adam.wasm"), "x").unwrap();
        let found = find(&[folder.path().to_owned()]).unwrap();
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["adam.wasm", "adam/", "zoe"], "both are there");
        let paths = [folder.path().to_owned(), folder.path().join("./zoe.wasm")];
        let error = find(&paths).unwrap_err().to_string();
        assert!(error.ends_with("zoe.wasm` is named twice"), "{error}");
    }

    #[test]
    fn lists_of_students_say_who_and_complain_by_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("students.csv");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            students(&path).map_err(|failure| failure.to_string())
        };
        let list = read("Submission, group,student,id\na1.wasm,x,\"Ada, L.\",7\nb2\n").unwrap();
        let ada = Student { name: Some("Ada, L.".to_owned()), id: Some("7".to_owned()) };
        assert_eq!(list["a1"], ada);
        assert_eq!(list["b2"], Student::default());
        let absent = read("submission,student,id\n,Nobody,3\n").unwrap();
        assert_eq!(absent["Nobody"].id.as_deref(), Some("3"));
        assert!(read("submission,student\na,\"open,1\nb,B\n").unwrap_err().contains("line 2: "));
        assert!(read("name\nx\n").unwrap_err().contains("no column `submission`"));
        assert!(read("submission\nx\nx\n").unwrap_err().contains("line 3: `x` stands"));
        let twice = read("submission,id\nx,7\ny,8\nz,7\n").unwrap_err();
        assert!(twice.contains("line 4: the id `7` stands in line 2, too"), "{twice}");
        let loud = read("submission\nADA.WASM\nä.Wasm\n.wasm\nwasm\n").unwrap();
        assert_eq!(loud.keys().collect::<Vec<_>>(), [".wasm", "ADA", "wasm", "ä"]);
    }
}
