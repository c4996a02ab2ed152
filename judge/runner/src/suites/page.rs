//! A static site on which people write, grade and watch bots in their browser, for any web server.

use std::io::Read as _;
use std::path::PathBuf;

use flate2::read::ZlibDecoder;
use include_dir::{Dir, include_dir};
use judge_core::Listener;
use judge_grading::Suite;
use judge_toolchain::PageCompiler;
use serde_json::{Value, json};

use super::named;
use crate::Error;
use crate::base::bundled;
use crate::base::new_folder::{self, NewFile};
use crate::bots::new_bot;

static PLAY: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../browser/page");
static GRADE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../browser/grade");

const LICENCES: &[u8] = include_bytes!("../../../browser/prebuilt/codemirror.licences.txt");

/// A built file of the pages, which `build.rs` compresses to a third.
macro_rules! packed {
    ($name:literal) => {
        ($name, include_bytes!(concat!(env!("OUT_DIR"), "/", $name)))
    };
}

const EDITOR: (&str, &[u8]) = packed!("codemirror.js");
const PLAYING: (&str, &[u8]) = packed!("judge-browser.wasm");
const GRADING: (&str, &[u8]) = packed!("judge-grade.wasm");

/// The file with the suites and templates.
const DATA: &str = "site.json";

/// Languages that are written in the page, by the endings of their files.
const LANGUAGES: [&str; 3] = ["js", "py", "wat"];

/// The ending of AssemblyScript, which needs a compiler in the site.
const ASSEMBLYSCRIPT: &str = "ts";

/// The folder of that compiler, and its file with the arguments, the kit and the names of the other
/// files.
const COMPILER: &str = "assemblyscript";
const COMPILER_DATA: &str = "compiler.json";

/// A site to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Its folder, new or empty.
    pub folder: PathBuf,
    /// Its suites, as for `--suite`; empty for the bundled ones.
    pub suites: Vec<PathBuf>,
    /// True for a site with the installed AssemblyScript compiler.
    pub assemblyscript: bool,
}

/// A site that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Its folder.
    pub folder: PathBuf,
    /// The names of its suites.
    pub suites: Vec<String>,
    /// Size of all its files, in bytes.
    pub bytes: u64,
}

/// Writes the site completely or not at all. Hidden testcases are not in it.
///
/// # Errors
/// If a suite cannot be read or has only hidden testcases, the compiler is not installed, or the
/// folder is not empty or cannot be written.
pub fn run(request: &Request, events: &mut dyn Listener) -> Result<Outcome, Error> {
    let names = bundled::names();
    let bundled = names.iter().map(PathBuf::from).collect();
    let chosen: &Vec<PathBuf> = if request.suites.is_empty() { &bundled } else { &request.suites };
    let suites = chosen.iter().map(|path| open_part(&named(path, events)?));
    let suites = suites.collect::<Result<Vec<Suite>, Error>>()?;
    let compiler = request.assemblyscript.then(compiler).transpose()?.unwrap_or_default();
    let files = files(&suites, compiler);
    new_folder::refuse_what_is_there(&request.folder)?;
    new_folder::create(&request.folder, &files)?;
    Ok(Outcome {
        folder: request.folder.clone(),
        suites: suites.into_iter().map(|suite| suite.name).collect(),
        bytes: files.iter().map(|(_, bytes)| bytes.len() as u64).sum(),
    })
}

/// A suite without its hidden testcases, and without the instructor's comments and paths.
///
/// # Errors
/// If the suite has no open testcase.
pub fn open_part(suite: &Suite) -> Result<Suite, Error> {
    let all = suite.testcases.iter().chain(&suite.locked);
    let hidden: Vec<String> =
        all.filter(|one| one.hidden).map(|one| format!("{}.toml", one.name)).collect();
    let open = suite.files.iter().filter(|(name, _)| !hidden.contains(name));
    let head = head(suite);
    let open = open.map(|(name, text)| match name.as_str() {
        "suite.toml" => (name.as_str(), head.as_str()),
        name => (name, text.as_str()),
    });
    Ok(Suite::from_files(&suite.name, open)?)
}

/// The title in `suite.toml`, the only key that the site needs. Comments and paths of hidden
/// testcases are for the instructor only.
fn head(suite: &Suite) -> String {
    toml::Table::from_iter([("title".to_owned(), suite.title.clone().into())]).to_string()
}

/// The data of a site with this suite, as JSON, without its hidden testcases.
///
/// # Errors
/// If the suite has no open testcase.
pub fn data_of(suite: &Suite) -> Result<String, Error> {
    Ok(judge_report::json_text(&data(&[open_part(suite)?], &[], false)))
}

/// The files of a site that do not depend on its suites, by name.
pub fn pages() -> Vec<(String, Vec<u8>)> {
    let pages = PLAY.files().chain(GRADE.files());
    let pages = pages.map(|file| (file.path().display().to_string(), file.contents().to_vec()));
    let built =
        [EDITOR, PLAYING, GRADING].map(|(name, packed)| (name.to_owned(), unpacked(packed)));
    let style = judge_report::page::STYLE.as_bytes().to_vec();
    let mut files: Vec<NewFile> = pages.chain(built).collect();
    files.push(("style.css".to_owned(), style));
    files.push(("codemirror.licences.txt".to_owned(), LICENCES.to_vec()));
    files
}

/// The bytes of a built file.
fn unpacked(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = ZlibDecoder::new(packed).read_to_end(&mut bytes);
    read.expect("`build.rs` has compressed it");
    bytes
}

/// The module of the pages on which people play.
pub fn playing_module() -> Vec<u8> {
    unpacked(PLAYING.1)
}

/// The files of the AssemblyScript compiler, which a page loads on demand.
fn compiler() -> Result<Vec<NewFile>, Error> {
    let PageCompiler { files, arguments } = judge_toolchain::page_compiler()
        .map_err(|error| Error::Machine { what: error.to_string(), hint: error.hint() })?;
    let place = |name: &str| format!("{COMPILER}/{name}");
    let names = files.iter().map(|(name, _)| name.as_str()).chain([COMPILER_DATA]);
    let data = json!({
        "arguments": arguments,
        "kit": new_bot::assemblyscript_kit(),
        "files": names.map(place).collect::<Vec<_>>(),
    });
    let mut files: Vec<NewFile> =
        files.into_iter().map(|(name, bytes)| (place(&name), bytes)).collect();
    files.push((place(COMPILER_DATA), judge_report::json_text(&data).into_bytes()));
    Ok(files)
}

/// All files of a site. The pages are kept for visits without a network, the compiler only after its
/// first use.
fn files(suites: &[Suite], compiler: Vec<NewFile>) -> Vec<NewFile> {
    let mut files = pages();
    let mut names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    names.push(DATA);
    let data = judge_report::json_text(&data(suites, &names, !compiler.is_empty()));
    files.push((DATA.to_owned(), data.into_bytes()));
    files.extend(compiler);
    files
}

/// The suites and templates of the page, and the names of the site's files. `has_compiler` is true if
/// AssemblyScript can be written, too.
fn data(suites: &[Suite], pages: &[&str], has_compiler: bool) -> Value {
    let described = suites.iter().map(|suite| {
        let game = suite.testcases.first().map(|testcase| testcase.game.as_str());
        json!({
            "name": suite.name,
            "title": suite.title,
            "game": game.unwrap_or_default(),
            "files": suite.files,
        })
    });
    let templates = |game: &str| -> Value {
        let text = |ending| Some((ending, new_bot::template(game, ending)?));
        let more = has_compiler.then_some(ASSEMBLYSCRIPT);
        let texts = LANGUAGES.into_iter().chain(more).filter_map(text);
        texts.map(|(ending, text)| (ending.to_owned(), json!(text))).collect()
    };
    let games = judge_games::all().iter();
    let games = games.map(|game| (game.name().to_owned(), templates(game.name())));
    let templates: Value = games.collect();
    json!({
        "suites": described.collect::<Vec<_>>(),
        "templates": templates,
        "assemblyscript": has_compiler,
        "pages": pages,
    })
}

impl Outcome {
    /// Summarizes the site and its use.
    pub fn to_text(&self) -> String {
        format!(
            "wrote {} with {}: {:.1} MB\ncopy the folder to any web server; to try it here:\n  \
             python3 -m http.server --directory {}\n",
            judge_report::quoted(&self.folder.to_string_lossy()),
            self.suites.join(", "),
            self.bytes as f64 / 1e6,
            judge_report::quoted(&self.folder.to_string_lossy()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_testcases_are_not_on_the_site() {
        let testcase = |more: &str| {
            format!(
                "title = \"One\"\ngame = \"cc\"\nopponent = \"random\"\nseeds = [1]\n\
                 min_score = 0\npoints = 1\n{more}"
            )
        };
        let (open, hidden) = (testcase(""), testcase("hidden = true\n"));
        let files =
            [("suite.toml", "title = \"S\"\n"), ("1.toml", open.as_str()), ("2.toml", &hidden)];
        let suite = Suite::from_files("s", files).expect("a suite");
        assert_eq!(suite.testcases.len(), 2);
        let part = open_part(&suite).expect("a suite");
        let names: Vec<&str> = part.files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["suite.toml", "1.toml"]);
        let ranked = "# 4242\ntitle = \"S\"\n[rank]\nmin_points = 2\ncurve = [[0, 0], [100, 1]]\n";
        let suite = Suite::from_files("s", [("suite.toml", ranked), files[1], files[2]]);
        let part = open_part(&suite.expect("a suite")).expect("the curve counts on hidden points");
        assert_eq!(part.files[0].1, "title = \"S\"\n");
        let only = Suite::from_files("s", [files[0], files[2]]).expect("a suite");
        assert!(open_part(&only).is_err());
    }

    #[test]
    fn every_file_named_by_a_page_is_on_the_site() {
        let files = files(&[], Vec::new());
        let has = |name: &str| files.iter().any(|(other, _)| other == name);
        for (page, text) in files.iter().filter(|(name, _)| !name.ends_with(".wasm")) {
            let text = String::from_utf8_lossy(text);
            for part in text.split("\"./").skip(1) {
                let named = part.split('"').next().unwrap_or_default();
                // The folder itself is `index.html`.
                let file = if named.is_empty() { "index.html" } else { named };
                assert!(has(file), "{page} names {file}");
            }
        }
        for page in ["index.html", "play.html", "style.css", "site.json", "judge-grade.wasm"] {
            assert!(has(page), "{page}");
        }
    }
}
