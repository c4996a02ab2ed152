//! Chains of calls, one a line.

use super::FuelProfile;

/// `a;b;c 123` for each chain in which something was spent, in the order of the tree.
pub(super) fn lines(profile: &FuelProfile) -> String {
    let line = |path: &super::PathFuel| {
        let chain = profile.chain(path);
        let names = chain.iter().map(|at| word(&profile.functions[*at].name));
        format!("{} {}\n", names.collect::<Vec<_>>().join(";"), path.own)
    };
    profile.paths.iter().filter(|path| path.own > 0).map(line).collect()
}

/// A name without what the format is made of.
fn word(name: &str) -> String {
    name.replace([';', '\n', '\r'], ",")
}
