//! Generators of modules that are too large or too many to keep as files. A line in `case.toml`
//! such as `functions(100000)` selects one.

use super::shapes;

/// Returns the modules of a generator. `honest` is a good module, for generators that damage one.
///
/// # Errors
/// If the generator is unknown, or its arguments are wrong.
pub(super) fn modules(text: &str, honest: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let unknown = || format!("unknown generator `{text}`");
    let (name, rest) = text.split_once('(').ok_or_else(unknown)?;
    let rest = rest.strip_suffix(')').ok_or_else(unknown)?;
    let words: Vec<&str> = rest.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    let number = |word: &&str| word.parse::<u32>().map_err(|_| format!("not a number: `{word}`"));
    if let ("custom", [section, size]) = (name, words.as_slice()) {
        return Ok(vec![shapes::custom(section, number(size)?)]);
    }
    if let ("chains" | "idle", [word, functions, count]) = (name, words.as_slice()) {
        let shape = if name == "chains" { shapes::chains } else { shapes::idle };
        return shape(word, number(functions)?, number(count)?)
            .map(|module| vec![module])
            .ok_or_else(unknown);
    }
    let numbers = words.iter().map(number).collect::<Result<Vec<u32>, String>>()?;
    let module = match (name, numbers.as_slice()) {
        ("prefixes", [step]) => return Ok(prefixes(honest, *step)),
        ("flips", [step]) => return Ok(flips(honest, *step)),
        ("additions", [count]) => shapes::additions(*count),
        ("blocks", [depth]) => shapes::blocks(*depth),
        ("body", [bytes]) => shapes::body(*bytes),
        ("branch_table", [targets, depth]) => shapes::branch_table(*targets, *depth),
        ("branches_out", [functions, branches]) => shapes::branches_out(*functions, *branches),
        ("calling_loops", [count, locals]) => shapes::calling_loops(*count, *locals),
        ("counted_data", [count]) => shapes::counted_data(*count),
        ("data_segments", [count, bytes]) => shapes::data_segments(*count, *bytes),
        ("element_segments", [count]) => shapes::element_segments(*count),
        ("elements", [count]) => shapes::elements(*count),
        ("exports", [count]) => shapes::exports(*count),
        ("functions", [count]) => shapes::functions(*count),
        ("globals", [count]) => shapes::globals(*count),
        ("growths", [functions, count, locals]) => shapes::growths(*functions, *count, *locals),
        ("imports", [count]) => shapes::imports(*count),
        ("locals", [count]) => shapes::locals(*count),
        ("loops", [count, locals]) => shapes::loops(*count, *locals),
        ("nested_loops", [depth, locals]) => shapes::nested_loops(*depth, *locals),
        ("padded", [size]) => shapes::padded(*size),
        ("passive_data", [count]) => shapes::passive_data(*count),
        ("parameters", [count]) => shapes::parameters(*count),
        ("phis", [joins, locals]) => shapes::phis(*joins, *locals),
        ("rotations", [functions, locals, pieces]) => {
            shapes::rotations(*functions, *locals, *pieces)
        }
        ("roundings", [functions, units, locals]) => shapes::roundings(*functions, *units, *locals),
        ("signatures", [functions]) => shapes::signatures(*functions),
        ("together", [functions, roots, segments]) => {
            shapes::together(*functions, *roots, *segments).ok_or_else(unknown)?
        }
        ("types", [count]) => shapes::types(*count),
        ("ways", [variables, ways]) => shapes::ways(*variables, *ways),
        _ => return Err(unknown()),
    };
    Ok(vec![module])
}

/// The module cut off after every `step`th byte.
fn prefixes(honest: &[u8], step: u32) -> Vec<Vec<u8>> {
    let lengths = (0..honest.len()).step_by(step.max(1) as usize);
    lengths.map(|length| honest[..length].to_vec()).collect()
}

/// The module with one flipped bit, for every `step`th bit.
fn flips(honest: &[u8], step: u32) -> Vec<Vec<u8>> {
    let bits = (0..honest.len() * 8).step_by(step.max(1) as usize);
    bits.map(|bit| {
        let mut damaged = honest.to_vec();
        damaged[bit / 8] ^= 1 << (bit % 8);
        damaged
    })
    .collect()
}
