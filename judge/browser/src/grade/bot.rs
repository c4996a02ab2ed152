//! The bot of a page: a module, or a script with its interpreter.

use judge_core::{BotIdentity, Refused, SeatSpec, digest};
use judge_grading::Suite;
use judge_guest::intake::{self, IntakeRefusal, ModuleInfo, Transport};
use judge_guest::remedies::{self, Contents};
use judge_interpreters::Script;
use serde_json::{Value, json};
use wasmparser::{KnownCustom, Name, Parser, Payload};

use super::request::GradeRefusal;

/// A bot after intake.
pub(crate) struct PageBot {
    pub(crate) identity: BotIdentity,
    pub(crate) module: Vec<u8>,
    /// Result of intake; none if it refused the module.
    pub(crate) info: Option<ModuleInfo>,
    refused: Option<Refused>,
    /// The maximum of memory in the module, in bytes.
    pub(crate) own_maximum: Option<u64>,
    pub(crate) is_script: bool,
}

impl PageBot {
    /// Lets intake inspect a module.
    pub(crate) fn new(name: String, module: Vec<u8>) -> PageBot {
        let inspected = intake::inspect(&module);
        let refused = inspected.as_ref().err();
        let refused = refused.map(|refusal| Refused::new(remedies::explain(&module, refusal)));
        let info = inspected.ok();
        let author = info.as_ref().and_then(|info| info.manifest.author.clone());
        let identity = BotIdentity { name, sha256: digest(&module), author };
        let is_script = Script::in_module(&module).is_some();
        let own_maximum = Contents::read(&module).most_memory_bytes;
        PageBot { identity, module, info, refused, own_maximum, is_script }
    }

    /// Builds a bot from the text of a file.
    pub(crate) fn build(file: &str, text: &str) -> Result<PageBot, GradeRefusal> {
        let module = judge_toolchain::build_text(file, text)?.module;
        Ok(PageBot::new(stem(file), module))
    }

    /// A bot that a compiler in the page has made from the text of a file.
    pub(crate) fn compiled(file: &str, text: &str, module: Vec<u8>) -> PageBot {
        PageBot::new(stem(file), judge_toolchain::sign_text(module, file, text))
    }

    /// The bot as a player of a round.
    pub(crate) fn seat(&self) -> SeatSpec {
        super::run::seat(&self.identity)
    }

    /// The bot as a page shows it.
    pub(crate) fn described(&self) -> Value {
        let is_program = self.info.as_ref().map(|info| info.transport == Transport::Stdio);
        json!({
            "name": self.identity.name,
            "sha256": self.identity.sha256.to_string(),
            "bytes": self.module.len(),
            "program": is_program,
            "games": self.info.as_ref().map(|info| &info.manifest.games),
            "refused": self.refused.as_ref().map(|refused| refused.why.to_string()),
        })
    }

    /// The module for an engine that does not count.
    pub(crate) fn rewritten(&self) -> Result<Vec<u8>, GradeRefusal> {
        match &self.refused {
            Some(refused) => Err(GradeRefusal::Refused(refused.why.to_string())),
            None => Ok(judge_meter::rewrite(&self.module)?),
        }
    }

    /// The refusal on a suite: by intake, or because the bot's memory exceeds the limits of all
    /// testcases.
    pub(crate) fn refusal_on(&self, suite: &Suite) -> Option<Refused> {
        let limits = suite.testcases.iter().map(|testcase| testcase.limits);
        let largest = limits.max_by_key(|limits| limits.memory_bytes)?;
        let over = |info: &ModuleInfo| info.check_limits(&largest).err();
        let over = self.info.as_ref().and_then(over);
        let refused =
            |refusal: IntakeRefusal| Refused::new(remedies::explain(&self.module, &refusal));
        self.refused.clone().or(over.map(refused))
    }

    /// The name of the innermost of these functions that has one.
    pub(crate) fn name_of(&self, functions: &[u32]) -> Option<String> {
        let names = function_names(&self.module);
        functions.iter().find_map(|wanted| {
            names.iter().find(|(index, _)| index == wanted).map(|(_, name)| (*name).to_owned())
        })
    }
}

/// The name of a file without its ending.
fn stem(file: &str) -> String {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned()
}

/// The names of functions in a module's custom section.
fn function_names(module: &[u8]) -> Vec<(u32, &str)> {
    let mut found = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        let Ok(Payload::CustomSection(section)) = payload else { continue };
        let KnownCustom::Name(names) = section.as_known() else { continue };
        for part in names.into_iter().map_while(Result::ok) {
            if let Name::Function(names) = part {
                found.extend(names.into_iter().map_while(Result::ok).map(|it| (it.index, it.name)));
            }
        }
    }
    found
}
