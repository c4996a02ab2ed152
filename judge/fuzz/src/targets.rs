//! The targets by name, for `libfuzzer` and the test of the stored corpora.

use arbitrary::{Arbitrary, Unstructured};

/// Runs a target on some bytes. It panics at a finding.
pub type Target = fn(&[u8]);

/// Every target, ordered by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("agamemnon", |bytes| with(bytes, |text| crate::play("agamemnon", text))),
    ("amazons", |bytes| with(bytes, |text| crate::play("amazons", text))),
    ("buffer", |bytes| with(bytes, |bot| crate::buffer(&bot))),
    ("cc", |bytes| with(bytes, |text| crate::play("cc", text))),
    ("damaged", crate::damaged),
    ("intake", crate::intake),
    ("mahjong", |bytes| with(bytes, |text| crate::play("mahjong", text))),
    ("options", |bytes| with(bytes, crate::options)),
    ("patchwork", |bytes| with(bytes, |text| crate::play("patchwork", text))),
    ("pipe", crate::pipe),
    ("replay", |bytes| with(bytes, crate::replay)),
    ("report", |bytes| with(bytes, crate::report)),
    ("system", |bytes| with(bytes, |program| crate::system(&program))),
    ("table", crate::table),
    ("testcase", |bytes| with(bytes, crate::testcase)),
    ("transcript", |bytes| with(bytes, crate::transcript)),
    ("verify", |bytes| with(bytes, crate::verify)),
];

/// Runs the target with this name.
///
/// # Panics
/// When it does not exist, and at a finding.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|(other, _)| *other == name);
    let (_, target) = target.unwrap_or_else(|| panic!("no target `{name}`"));
    target(bytes);
}

/// Converts the bytes to this type; does nothing if there are too few.
fn with<'a, T: Arbitrary<'a>>(bytes: &'a [u8], then: impl Fn(T)) {
    if let Ok(input) = T::arbitrary_take_rest(Unstructured::new(bytes)) {
        then(input);
    }
}
