//! C and C++ without the kit: programs that read and print lines, and files with a `judge_line`.

use super::attempt::{CPP, Workshop};
use super::kit;
use crate::{BuildError, Compiled, Language, explain};

/// Compiles and links the file unchanged.
pub(super) fn build(shop: &Workshop<'_>, language: Language) -> Result<Compiled, BuildError> {
    let object = shop.place("bot.o");
    let mut command = shop.command();
    command.args(["-O2", "-ffunction-sections", "-fdata-sections", super::ENDLESS]);
    if language == Language::Cpp {
        command.args([CPP, "-fno-threadsafe-statics"]);
    }
    command.args(super::EMULATED).args(shop.defines());
    command.args(["-MMD", "-MF"]).arg(shop.place("inputs.d"));
    let ran = shop.run(command.arg("-c").arg(shop.source).arg("-o").arg(&object))?;
    if !ran.success {
        return Err(explain::refused(shop.source, "compile", ran.err));
    }
    let mut link = shop.command();
    if is_library(shop.text) {
        link.arg("-mexec-model=reactor");
    }
    link.arg(&object);
    if language == Language::Cpp {
        link.arg(kit::endings(shop, !is_library(shop.text))?);
    }
    let (module, said) = shop.link(link.args(super::LIBRARIES), &command)?;
    Ok(Compiled { module, remarks: ran.err + &said, ..Compiled::default() })
}

/// True for a file that the judge calls, instead of a program with a `main`.
fn is_library(text: &[u8]) -> bool {
    String::from_utf8_lossy(text).contains("judge_line")
}
