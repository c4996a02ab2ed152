//! The virtual stack: each call takes the height of its function, so a recursion ends at the same
//! depth in every engine.

use wasmparser::{
    FuncToValidate, FuncValidatorAllocations, FunctionBody, Parser, ValType, ValidPayload,
    Validator, ValidatorResources,
};

use crate::allowed::FEATURES;
use crate::error::MeterError;

/// Bytes of the virtual stack of one instance. Engines in a page have a stack of about a megabyte,
/// so frames may be twice as large as their heights.
pub const STACK_BYTES: u32 = 512 << 10;

/// Bytes of a call apart from its values.
const FRAME: u32 = 64;

/// Bytes of a value; of a vector twice as many.
const VALUE: u32 = 8;

/// Bytes of the virtual stack that a call of each function with a body takes.
///
/// They are 64 bytes for the call, the parameters, the locals, and the most operands at any time.
/// An operand counts as a vector in a function that computes one.
///
/// # Errors
/// When the module is not valid.
pub fn heights(module: &[u8]) -> Result<Vec<u32>, MeterError> {
    let mut validator = Validator::new_with_features(FEATURES);
    let mut heights = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        if let ValidPayload::Func(function, body) = validator.payload(&payload?)? {
            heights.push(height(function, &body)?);
        }
    }
    Ok(heights)
}

fn height(
    function: FuncToValidate<ValidatorResources>,
    body: &FunctionBody<'_>,
) -> Result<u32, MeterError> {
    let mut validator = function.into_validator(FuncValidatorAllocations::default());
    for group in body.get_locals_reader()? {
        let (count, kind) = group?;
        validator.define_locals(body.range().start, count, kind)?;
    }
    let locals = (0..validator.len_locals()).filter_map(|local| validator.get_local_type(local));
    let frame = locals.map(size).fold(FRAME, u32::saturating_add);
    let (mut most, mut value) = (0, VALUE);
    for operator in body.get_operators_reader()?.into_iter_with_offsets() {
        let (operator, offset) = operator?;
        validator.op(offset, &operator)?;
        most = most.max(validator.operand_stack_height());
        if let Some(Some(top)) = validator.get_operand_type(0) {
            value = value.max(size(top));
        }
    }
    Ok(frame.saturating_add(most.saturating_mul(value)))
}

fn size(kind: ValType) -> u32 {
    if kind == ValType::V128 { 2 * VALUE } else { VALUE }
}
