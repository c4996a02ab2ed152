//! The compiler for a page: the files of its package, changed so that a browser loads them, and the
//! arguments that [`crate::build`] passes.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{FAILURE, NO_FAILURE, fixed_arguments};
use crate::Language;
use crate::tool::Tool;

/// A file of the compiler: its package, its path there, its name in the page's folder, and the
/// packages that it imports.
struct Part {
    package: &'static str,
    path: &'static str,
    name: &'static str,
    imports: &'static [&'static str],
}

/// The main file and the files that it imports. They contain the standard library.
const PARTS: [Part; 4] = [
    Part {
        package: PACKAGE,
        path: "dist/asc.js",
        name: "asc.js",
        imports: &["assemblyscript", "binaryen"],
    },
    Part {
        package: PACKAGE,
        path: "dist/assemblyscript.js",
        name: "assemblyscript.js",
        imports: &["binaryen", "long"],
    },
    Part { package: "binaryen", path: "index.js", name: "binaryen.js", imports: &[] },
    Part { package: "long", path: "index.js", name: "long.js", imports: &[] },
];

const PACKAGE: &str = "assemblyscript";

/// The packages with the files of their licences.
const LICENCES: [(&str, &[&str]); 3] =
    [(PACKAGE, &["LICENSE", "NOTICE"]), ("binaryen", &["LICENSE"]), ("long", &["LICENSE"])];

/// The AssemblyScript compiler, which runs in a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageCompiler {
    /// Its files by name, with their licences. `asc.js` is the main one.
    pub files: Vec<(String, Vec<u8>)>,
    /// Its arguments.
    pub arguments: PageArguments,
}

/// The arguments of the compiler, after the file, its folder and the output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageArguments {
    /// The arguments of the first attempt and of the second one.
    pub attempts: [Vec<String>; 2],
    /// The error of the first attempt that leads to the second one.
    pub again: &'static str,
}

/// The reason why a page gets no compiler.
#[derive(Debug, thiserror::Error)]
pub enum PageCompilerError {
    /// No compiler is installed.
    #[error("no compiler for AssemblyScript found")]
    Missing,
    /// A package of the compiler is not installed as npm does it.
    #[error("the package `{package}` of the AssemblyScript compiler was not found")]
    NoPackage {
        /// The package.
        package: &'static str,
    },
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file does not import another one as the known versions do.
    #[error("`{}` does not import `{import}`", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// The package that it should import.
        import: &'static str,
    },
}

impl PageCompilerError {
    /// Advice for the user.
    pub fn hint(&self) -> Option<String> {
        match self {
            PageCompilerError::Missing => Some(crate::install(Language::AssemblyScript)),
            PageCompilerError::NoPackage { .. } | PageCompilerError::Read { .. } => Some(
                "install it with npm, or set `ASC` to `node …/assemblyscript/bin/asc.js`".into(),
            ),
            PageCompilerError::Unknown { .. } => {
                Some("the judge knows the versions 0.27 and 0.28 of `assemblyscript`".into())
            }
        }
    }
}

/// Reads the installed compiler, which [`crate::build`] runs.
///
/// # Errors
/// If no compiler is installed, or its files are not those of a known version.
pub fn page_compiler() -> Result<PageCompiler, PageCompilerError> {
    let asc = super::installed().ok_or(PageCompilerError::Missing)?;
    let no_package = PageCompilerError::NoPackage { package: PACKAGE };
    let home = home(&asc).ok_or(no_package)?;
    let mut files = Vec::new();
    for part in &PARTS {
        let path = folder(&home, part.package)?.join(part.path);
        let text = linked(&path, &read(&path)?, part.imports)?;
        files.push((part.name.to_owned(), text.into_bytes()));
    }
    files.push(("licences.txt".to_owned(), licences(&home)?.into_bytes()));
    let attempts = [FAILURE.0, FAILURE.1]
        .map(|failure| fixed_arguments(failure).into_iter().map(str::to_owned).collect::<Vec<_>>());
    Ok(PageCompiler { files, arguments: PageArguments { attempts, again: NO_FAILURE } })
}

/// The folder of the compiler's package: around its script, or next to the program that starts it.
fn home(asc: &Tool) -> Option<PathBuf> {
    let words = asc.first.iter().map(PathBuf::from).chain([asc.program.clone()]);
    let known = words.filter_map(|word| word.canonicalize().ok());
    let is_home = |folder: &PathBuf| folder.join(PARTS[0].path).is_file();
    known.into_iter().find_map(|path| {
        let around = path
            .ancestors()
            .flat_map(|folder| [folder.to_owned(), folder.join("node_modules").join(PACKAGE)]);
        around.into_iter().find(is_home)
    })
}

/// The folder of a package that the compiler imports: inside it, next to it, or above, as node finds
/// it.
fn folder(home: &Path, package: &'static str) -> Result<PathBuf, PageCompilerError> {
    if package == PACKAGE {
        return Ok(home.to_owned());
    }
    let beside = home.parent().map(|folder| folder.join(package));
    let above = home.ancestors().map(|folder| folder.join("node_modules").join(package));
    let mut all =
        std::iter::once(home.join("node_modules").join(package)).chain(beside).chain(above);
    let found = all.find(|folder| folder.join("index.js").is_file());
    found.ok_or(PageCompilerError::NoPackage { package })
}

fn read(path: &Path) -> Result<String, PageCompilerError> {
    let failed = |source| PageCompilerError::Read { path: path.to_owned(), source };
    std::fs::read_to_string(path).map_err(failed)
}

/// A file that imports its packages from the page's folder.
fn linked(
    path: &Path,
    text: &str,
    imports: &'static [&'static str],
) -> Result<String, PageCompilerError> {
    let mut text = text.to_owned();
    for &import in imports {
        let mut is_found = false;
        for quote in ['"', '\''] {
            for space in ["", " "] {
                let written = format!("from{space}{quote}{import}{quote}");
                is_found |= text.contains(&written);
                text = text.replace(&written, &format!("from{quote}./{import}.js{quote}"));
            }
        }
        if !is_found {
            return Err(PageCompilerError::Unknown { path: path.to_owned(), import });
        }
    }
    Ok(text)
}

fn licences(home: &Path) -> Result<String, PageCompilerError> {
    let mut all = String::new();
    for (package, names) in LICENCES {
        let folder = folder(home, package)?;
        for name in names {
            let text = read(&folder.join(name))?;
            all.extend([package, ": ", name, "\n\n", &text, "\n"]);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with packages as npm installs them, and the compiler's script.
    fn packages() -> (tempfile::TempDir, Tool) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("node_modules");
        for part in &PARTS {
            let imports = part.imports.iter().map(|name| format!("import*as x from\"{name}\";"));
            let path = root.join(part.package).join(part.path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, imports.collect::<String>()).expect("a file");
        }
        for (package, names) in LICENCES {
            for name in names {
                std::fs::write(root.join(package).join(name), "free\n").expect("a file");
            }
        }
        let script = root.join("assemblyscript/bin/asc.js");
        std::fs::create_dir(script.parent().expect("a folder")).expect("a folder");
        std::fs::write(&script, "").expect("a file");
        let asc = Tool { program: "node".into(), first: vec![script.into()] };
        (folder, asc)
    }

    #[test]
    fn a_package_is_found_around_its_script_and_next_to_its_program() {
        let (folder, asc) = packages();
        let whole = folder.path().canonicalize().expect("a folder");
        let home = home(&asc).expect("a package");
        assert_eq!(home, whole.join("node_modules/assemblyscript"));
        let program = folder.path().join("asc.cmd");
        std::fs::write(&program, "").expect("a file");
        assert_eq!(super::home(&Tool::new(program)), Some(home.clone()));
        assert_eq!(super::home(&Tool::new("/nowhere/asc")), None);
        let next = super::folder(&home, "long").expect("a package");
        assert_eq!(next, whole.join("node_modules/long"));
        std::fs::remove_file(next.join("index.js")).expect("a file");
        let error = super::folder(&home, "long").expect_err("it is gone");
        assert!(error.to_string().contains("`long`"), "{error}");
    }

    #[test]
    fn imports_of_packages_become_those_of_files_in_a_folder() {
        let text = "import a from\"long\";import*as b from 'long';let c=\"long\"";
        let linked = |imports| super::linked(Path::new("a.js"), text, imports);
        let expected = "import a from\"./long.js\";import*as b from'./long.js';let c=\"long\"";
        assert_eq!(linked(&["long"]).expect("it imports it"), expected);
        let error = linked(&["binaryen"]).expect_err("it does not import it");
        assert_eq!(error.to_string(), "`a.js` does not import `binaryen`");
    }

    #[test]
    fn the_licences_name_their_packages() {
        let (_folder, asc) = packages();
        let text = licences(&home(&asc).expect("a package")).expect("licences");
        assert!(text.starts_with("assemblyscript: LICENSE\n\nfree\n"), "{text}");
        assert!(text.contains("binaryen: LICENSE") && text.contains("long: LICENSE"), "{text}");
    }
}
