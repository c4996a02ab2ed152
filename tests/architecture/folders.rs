//! Areas inside a crate have no circular references. An area is a file or folder next to the
//! crate's `lib.rs`. Further down only folders count, because files of one folder may share a type.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, Item, UseTree};

/// A module by its path from the crate's root.
type ModulePath = Vec<String>;

#[test]
fn modules_of_each_crate_have_no_circular_dependencies() {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    let mut circles = Vec::new();
    for package in metadata.workspace_packages() {
        for target in package.targets.iter().filter(|target| target.is_lib() || target.is_bin()) {
            let krate = Crate::read(target.src_path.as_std_path());
            let found = krate.circles();
            circles.extend(found.into_iter().map(|circle| format!("{}: {circle}", package.name)));
        }
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

/// Areas of `judge/runner`, each with the areas that it may use.
const AREAS_OF_THE_RUNNER: &[(&str, &[&str])] = &[
    ("bots", &["base"]),
    ("suites", &["base", "bots"]),
    ("rounds", &["base", "bots", "suites"]),
    ("grade", &["base", "bots", "suites", "rounds"]),
    ("course", &["base", "bots", "suites", "rounds", "grade"]),
    ("tools", &["base"]),
    ("contest", &["base", "bots", "rounds", "tools"]),
    ("verify", &["base", "bots", "suites", "rounds", "contest"]),
];

#[test]
fn areas_of_the_runner_depend_only_on_lower_areas() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("judge/runner/src/lib.rs");
    let areas: BTreeMap<String, BTreeSet<String>> = Crate::read(&root)
        .edges()
        .remove(&Vec::new())
        .expect("areas")
        .into_iter()
        .map(|(area, uses)| (area.to_owned(), uses))
        .collect();
    let names = |all: &[&str]| all.iter().map(|&name| name.to_owned()).collect();
    let allowed: BTreeMap<String, BTreeSet<String>> =
        AREAS_OF_THE_RUNNER.iter().map(|(area, uses)| ((*area).to_owned(), names(uses))).collect();
    assert_eq!(areas, allowed);
}

/// The modules of a crate and their references.
#[derive(Default)]
struct Crate {
    modules: BTreeMap<ModulePath, Module>,
}

#[derive(Default)]
struct Module {
    /// True if it has a separate folder.
    is_folder: bool,
    /// Paths into this crate, resolved to its root.
    refers_to: BTreeSet<ModulePath>,
    /// Sources of names that it re-exports.
    reexports: BTreeMap<String, ModulePath>,
}

impl Crate {
    fn read(root: &Path) -> Crate {
        let mut krate = Crate::default();
        krate.add(root, root.parent().unwrap(), &[]);
        krate
    }

    /// Adds the module in `file` with children in `folder`.
    fn add(&mut self, file: &Path, folder: &Path, path: &[String]) {
        let text = std::fs::read_to_string(file).unwrap();
        let syntax = syn::parse_file(&text).unwrap_or_else(|error| panic!("{file:?}: {error}"));
        let mut module = Module { is_folder: folder.is_dir(), ..Module::default() };
        let children = children(&text, &syntax.items);
        let mut paths = Paths { at: path, children: &children, module: &mut module };
        syntax.items.iter().for_each(|item| paths.take(item));
        self.modules.insert(path.to_vec(), module);
        for child in children {
            let (file, folder) = file_of(folder, &child);
            if file.is_file() {
                let path: ModulePath = path.iter().cloned().chain([child]).collect();
                self.add(&file, &folder, &path);
            }
        }
    }

    /// The module that a path leads to, through re-exports.
    fn resolve(&self, path: &[String], depth: usize) -> Option<ModulePath> {
        let length = (0..=path.len()).rev().find(|end| self.modules.contains_key(&path[..*end]))?;
        let (found, rest) = path.split_at(length);
        let origin = rest.first().and_then(|name| self.modules[found].reexports.get(name));
        match origin {
            Some(origin) if depth < 8 => {
                let whole: ModulePath = origin.iter().chain(&rest[1..]).cloned().collect();
                self.resolve(&whole, depth + 1)
            }
            _ => Some(found.to_vec()),
        }
    }

    /// For each folder, the references between its modules, by name.
    fn edges(&self) -> BTreeMap<ModulePath, BTreeMap<&str, BTreeSet<String>>> {
        let mut edges: BTreeMap<ModulePath, BTreeMap<&str, BTreeSet<String>>> = BTreeMap::new();
        for (from, module) in &self.modules {
            for to in module.refers_to.iter().filter_map(|path| self.resolve(path, 0)) {
                let common = std::iter::zip(from, &to).take_while(|(one, two)| one == two).count();
                if let (Some(one), Some(two)) = (from.get(common), to.get(common)) {
                    let inside = edges.entry(from[..common].to_vec()).or_default();
                    inside.entry(one).or_default().insert(two.clone());
                }
            }
        }
        edges
    }

    fn circles(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (parent, edges) in self.edges() {
            let reaches: BTreeMap<&str, BTreeSet<String>> =
                edges.keys().map(|name| (*name, reached(name, &edges))).collect();
            let goes_back = |one: &str, two: &str| {
                reaches.get(one).is_some_and(|all| all.contains(two))
                    && reaches.get(two).is_some_and(|all| all.contains(one))
            };
            for name in edges.keys() {
                let circle: Vec<&str> =
                    edges.keys().copied().filter(|other| goes_back(name, other)).collect();
                let is_folder = |name: &&&str| {
                    let path: ModulePath =
                        parent.iter().cloned().chain([(**name).into()]).collect();
                    self.modules.get(&path).is_some_and(|module| module.is_folder)
                };
                let counts = parent.is_empty() || circle.iter().filter(is_folder).count() > 1;
                if circle.len() > 1 && counts && circle[0] == *name {
                    found.push(format!("{} [{}]", parent.join("::"), circle.join(", ")));
                }
            }
        }
        found
    }
}

/// All modules that can be reached from a module over at least one edge.
fn reached(from: &str, edges: &BTreeMap<&str, BTreeSet<String>>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(next) = open.pop() {
        for to in edges.get(next.as_str()).into_iter().flatten() {
            if found.insert(to.clone()) {
                open.push(to.clone());
            }
        }
    }
    found
}

/// Names of the modules that a file declares, without tests. A macro declares the games.
fn children(text: &str, items: &[Item]) -> Vec<String> {
    let declared = items.iter().filter_map(|item| match item {
        Item::Mod(module) if module.content.is_none() && !is_test(&module.attrs) => {
            Some(module.ident.to_string())
        }
        _ => None,
    });
    let games = text.lines().find_map(|line| line.strip_prefix("registry::games! {"));
    let games = games.map(|line| line.trim_end_matches('}').split(',')).into_iter().flatten();
    declared.chain(games.map(|name| name.trim().to_owned())).collect()
}

/// The file of a module, and the folder of its children.
fn file_of(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    let own = folder.join(name);
    let inside = own.join("mod.rs");
    if inside.is_file() { (inside, own) } else { (folder.join(format!("{name}.rs")), own) }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// Collects the paths of a file.
struct Paths<'a> {
    at: &'a [String],
    children: &'a [String],
    module: &'a mut Module,
}

impl Paths<'_> {
    /// The path from the crate's root, if it leads into this crate.
    fn absolute(&self, path: &[String]) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some(self.at.iter().chain(rest).cloned().collect()),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                let stem = &self.at[..self.at.len().checked_sub(ups)?];
                Some(stem.iter().chain(&path[ups..]).cloned().collect())
            }
            name if self.children.iter().any(|child| child == name) => {
                Some(self.at.iter().chain(path).cloned().collect())
            }
            _ => None,
        }
    }

    fn refer(&mut self, path: &[String]) {
        if path.len() < 2 {
            return;
        }
        if let Some(path) = self.absolute(path) {
            self.module.refers_to.insert(path);
        }
    }

    fn take(&mut self, item: &Item) {
        match item {
            Item::Mod(module) if is_test(&module.attrs) => {}
            Item::Mod(module) => {
                let inside = module.content.iter().flat_map(|(_, items)| items);
                inside.for_each(|item| self.take(item));
            }
            Item::Use(item) => {
                let handed_on = !matches!(item.vis, syn::Visibility::Inherited);
                self.take_use(&item.tree, &mut Vec::new(), handed_on);
            }
            other => self.take_tokens(other.to_token_stream()),
        }
    }

    /// Collects every `one::two::three` among the tokens.
    fn take_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.refer(&std::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                other => {
                    self.refer(&std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.take_tokens(group.stream());
                    }
                }
            }
        }
        self.refer(&path);
    }

    fn take_use(&mut self, tree: &UseTree, before: &mut Vec<String>, handed_on: bool) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.take_use(&path.tree, before, handed_on);
                before.pop();
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.take_use(tree, before, handed_on));
            }
            UseTree::Name(name) => self.take_name(before, &name.ident, &name.ident, handed_on),
            UseTree::Rename(name) => self.take_name(before, &name.ident, &name.rename, handed_on),
            UseTree::Glob(_) => self.refer(before),
        }
    }

    fn take_name(
        &mut self,
        before: &[String],
        name: &syn::Ident,
        known_as: &syn::Ident,
        handed_on: bool,
    ) {
        let mut path = before.to_vec();
        if name != "self" {
            path.push(name.to_string());
        }
        self.refer(&path);
        if handed_on && let Some(path) = self.absolute(&path) {
            self.module.reexports.insert(known_as.to_string(), path);
        }
    }
}

#[test]
fn a_circular_dependency_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod one; mod two; mod three; pub use two::Two; #[cfg(test)] mod tests;");
    write("one/mod.rs", "use crate::Two; pub struct One;");
    write("two.rs", "pub struct Two; fn call() { crate::three::call() }");
    write("three.rs", "pub fn call() {} #[cfg(test)] mod tests { use crate::one::One; }");
    let circles = || Crate::read(&folder.path().join("lib.rs")).circles();
    assert_eq!(circles(), Vec::<String>::new());
    write("three.rs", "use super::one::{self, One}; pub fn call() { let _ = One; }");
    assert_eq!(circles(), [" [one, three, two]"]);
}
