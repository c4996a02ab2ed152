//! Which instructions of the processor a bot's machine code may use: the same wherever the judge
//! runs, so that its stack frames, and with them the depth at which a recursion overflows, are the
//! same on every processor of a kind. The one file of this crate with an exception from
//! `unsafe_code`: the compiler's settings can be set by name in that way alone.
#![allow(unsafe_code)]

use wasmtime::Config;

/// What is used beyond the architecture's base, in the compiler's words: on x86-64 what all
/// processors since 2009 have. Without it vectors, rounding and counting bits are slow.
#[cfg(target_arch = "x86_64")]
const BEYOND_BASE: &[&str] = &["sse42", "has_popcnt"];
#[cfg(not(target_arch = "x86_64"))]
const BEYOND_BASE: &[&str] = &[];

/// What [`fix`] sets on every architecture, for the fingerprint.
pub(crate) const DESCRIPTION: &str = "base, x86-64: sse42 has_popcnt";

/// Makes the compiler use these instructions and no others that this machine may have.
///
/// # Errors
/// When the engine knows nothing of this architecture.
pub(crate) fn fix(config: &mut Config) -> Result<(), String> {
    // With a target named, even if it is this machine's, nothing is looked up on the machine.
    let target = target_lexicon::HOST.to_string();
    config.target(&target).map_err(|error| format!("{error:#}"))?;
    for name in BEYOND_BASE {
        // SAFETY: these only let the compiler choose instructions, and `check` refuses a machine
        // that lacks them, as the engine itself does for every module.
        unsafe { config.cranelift_flag_enable(name) };
    }
    Ok(())
}

/// Looks whether this machine has the instructions.
///
/// # Errors
/// With what it lacks.
pub(crate) fn check() -> Result<(), &'static str> {
    #[cfg(target_arch = "x86_64")]
    if !(is_x86_feature_detected!("sse4.2") && is_x86_feature_detected!("popcnt")) {
        return Err(
            "its processor lacks SSE4.2 or POPCNT, which every x86-64 processor since 2009 \
                    has; a virtual machine may hide them (choose the processor model `host`)",
        );
    }
    Ok(())
}
