//! What was handed in: files and folders, one of each per student, and the list of students.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_arena::Submission;
use judge_core::{Blame, BotIdentity, Refused, Verdict, digest};
use judge_sandbox::intake::{self, MAX_MODULE_BYTES};

use crate::failure::Failure;

/// Something that was handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HandedIn {
    /// What it is called: its file's name without the ending, or its folder's name.
    pub(super) name: String,
    /// The file, or the folder that holds it.
    pub(super) path: PathBuf,
}

/// Finds what was handed in: a file stands for itself, a folder for all that lies in it. In the
/// order of the names.
pub(super) fn find(paths: &[PathBuf]) -> Result<Vec<HandedIn>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        std::fs::metadata(path).map_err(|source| Failure::Read { path: path.clone(), source })?;
        match path.is_dir() {
            true => found.extend(in_folder(path)?),
            false => found.push(handed_in(path.clone())),
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    let twice = found.windows(2).find(|pair| pair[0].name == pair[1].name);
    if let Some([one, other]) = twice {
        let (name, one, other) = (&one.name, one.path.display(), other.path.display());
        let what = format!("two submissions are called `{name}`: `{one}` and `{other}`");
        let hint = "rename one of them: reports and marks go by these names".to_owned();
        return Err(Failure::Input { what, hint: Some(hint) });
    }
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

/// Modules and folders that lie in a folder; hidden ones and other files are not submissions.
fn in_folder(folder: &Path) -> Result<Vec<HandedIn>, Failure> {
    let found = entries(folder)?.into_iter().filter(|path| is_module(path) || path.is_dir());
    Ok(found.map(handed_in).collect())
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

fn handed_in(path: PathBuf) -> HandedIn {
    let stem = if path.is_dir() { path.file_name() } else { path.file_stem() };
    let name = stem.unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    HandedIn { name, path }
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
        if !self.path.is_dir() {
            return read(&self.path);
        }
        let entries = entries(&self.path).map_err(|failure| unreadable(&failure))?;
        let mut modules = entries.into_iter().filter(|path| is_module(path));
        match (modules.next(), modules.next()) {
            (Some(only), None) if only.is_symlink() => Err(Refused::new(
                "the `.wasm` file in the folder is a link\nhint: hand in the module itself"
                    .to_owned(),
            )),
            (Some(only), None) => read(&only),
            (None, _) => Err(Refused::new(
                "there is no `.wasm` file in the folder\nhint: hand in the built module".to_owned(),
            )),
            _ => Err(Refused::new(
                "there are several `.wasm` files in the folder\nhint: hand in one".to_owned(),
            )),
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Refused> {
    // A pipe would be waited for, for ever.
    let size = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|m| m.len());
    match size {
        None => return Err(Refused::new("it is no file that can be read".to_owned())),
        Some(size) if size > MAX_MODULE_BYTES as u64 => {
            let most = MAX_MODULE_BYTES >> 20;
            return Err(Refused::new(format!("the file has {size} bytes; the most is {most} MiB")));
        }
        Some(_) => {}
    }
    Failure::read(path).map_err(|failure| unreadable(&failure))
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
        let error = find(&[folder.path().to_owned()]).unwrap_err().to_string();
        assert!(error.contains("two submissions are called `adam`"), "{error}");
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
