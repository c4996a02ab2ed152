//! Processor instructions for a bot's machine code: the same on every machine. Therefore stack
//! frames, and the depth at which a recursion overflows, are the same on every processor of an
//! architecture.

use wasmtime::Config;

use crate::unchecked;

/// Instructions beyond the architecture's base, by the compiler's names. On x86-64, Intel's
/// processors have had them since 2008, AMD's since 2011 and small ones since 2013. Without them,
/// vectors, rounding and counting bits are slow.
#[cfg(target_arch = "x86_64")]
const BEYOND_BASE: &[&str] = &["sse42", "has_popcnt"];
#[cfg(not(target_arch = "x86_64"))]
const BEYOND_BASE: &[&str] = &[];

/// The settings of [`fix`] on every architecture, for the fingerprint.
pub(crate) const DESCRIPTION: &str = "base, x86-64: sse42 has_popcnt";

/// Makes the compiler use these instructions and no others of this machine.
///
/// # Errors
/// When the engine does not support this architecture.
pub(crate) fn fix(config: &mut Config) -> Result<(), String> {
    // With an explicit target, even this machine's, the engine detects no features of the machine.
    let target = target_lexicon::HOST.to_string();
    config.target(&target).map_err(|error| format!("{error:#}"))?;
    for name in BEYOND_BASE {
        unchecked::enable_instructions(config, name);
    }
    Ok(())
}

/// Checks that this machine has the instructions.
///
/// # Errors
/// With the missing instructions.
pub(crate) fn check() -> Result<(), String> {
    #[cfg(target_arch = "x86_64")]
    return enough(is_x86_feature_detected!("sse4.2"), is_x86_feature_detected!("popcnt"));
    #[cfg(not(target_arch = "x86_64"))]
    Ok(())
}

#[cfg(target_arch = "x86_64")]
fn enough(sse42: bool, popcnt: bool) -> Result<(), String> {
    let lacks: Vec<&str> = [("SSE4.2", sse42), ("POPCNT", popcnt)]
        .into_iter()
        .filter_map(|(name, is_there)| (!is_there).then_some(name))
        .collect();
    if lacks.is_empty() {
        return Ok(());
    }
    Err(format!(
        "its processor lacks {}; a virtual machine may hide what the processor has (choose the \
         processor model `host`)",
        lacks.join(" and ")
    ))
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_names_the_used_processor_features() {
        let named: Vec<&str> = DESCRIPTION.split_whitespace().skip(2).collect();
        assert_eq!(named, BEYOND_BASE);
    }

    #[test]
    fn missing_processor_features_are_named() {
        assert_eq!(enough(true, true), Ok(()));
        assert!(enough(false, true).is_err_and(|what| what.contains("lacks SSE4.2;")));
        assert!(enough(false, false).is_err_and(|what| what.contains("lacks SSE4.2 and POPCNT;")));
    }
}
