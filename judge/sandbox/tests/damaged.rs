//! Damaged modules: intake decides about each, and never accepts half a section.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_sandbox::intake::inspect;
use wasmparser::{Parser, Payload};

const BOTS: [&[u8]; 2] = [
    include_bytes!("../../../sample-bots/prebuilt/mahjong-straightforward.wasm"),
    include_bytes!("../../../sample-bots/prebuilt/mahjong-distance.wasm"),
];

/// The ends of a module's sections.
fn ends(module: &[u8]) -> Vec<usize> {
    let payloads = Parser::new(0).parse_all(module).map(Result::unwrap);
    let ends = payloads.filter_map(|payload| match payload {
        Payload::CodeSectionStart { range, .. } => Some(range.end),
        other => other.as_section().map(|(_, range)| range.end),
    });
    ends.collect()
}

#[test]
fn a_module_can_be_cut_only_between_sections() {
    for module in BOTS {
        let ends = ends(module);
        // Larger modules cost the square of their size.
        let step = module.len() / 1500;
        for length in (0..module.len()).step_by(step.max(1)) {
            let whole_sections = ends.contains(&length);
            assert!(whole_sections || inspect(&module[..length]).is_err(), "{length} bytes");
        }
    }
}

#[test]
fn a_module_with_a_flipped_bit_is_accepted_or_refused() {
    for module in BOTS {
        let mut damaged = module.to_vec();
        let (mut taken, mut refused) = (0, 0);
        for bit in (0..module.len() * 8).step_by(31) {
            damaged[bit / 8] ^= 1 << (bit % 8);
            match inspect(&damaged) {
                Ok(_) => taken += 1,
                Err(_) => refused += 1,
            }
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        assert!(taken > 100 && refused > 100, "{taken} taken, {refused} refused");
    }
}
