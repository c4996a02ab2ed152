//! Moves at joins. Where paths of a function meet, the compiler brings variables and stack values
//! from every path to one place. It goes through all these moves for each value in use at the start
//! of any piece of code, so the time for a function grows with the product of the two.

mod graph;

use wasmparser::{BinaryReaderError, FuncValidator, FunctionBody, Operator, WasmModuleResources};

use graph::{Graph, Sets, Stack};

/// Weight of moving a stack value, in moves of a variable; measured.
const STACKED: u64 = 4;

/// Weight of bringing a value to the head of a loop with a call, in moves; measured.
const CALLED: u64 = 5;

/// Moves where paths meet, times values in use where pieces begin. The caller has validated the
/// body and checked its branches times its variables, which bounds the work.
///
/// # Errors
/// When the body is not valid after all.
pub(super) fn product<R: WasmModuleResources>(
    validator: &mut FuncValidator<R>,
    body: &FunctionBody<'_>,
) -> Result<u64, BinaryReaderError> {
    let graph = graph(validator, body)?;
    let in_use = in_use(&graph);
    Ok(moves(&graph, &in_use).saturating_mul(values(&graph, &in_use)))
}

fn graph<R: WasmModuleResources>(
    validator: &mut FuncValidator<R>,
    body: &FunctionBody<'_>,
) -> Result<Graph, BinaryReaderError> {
    validator.read_locals(&mut body.get_binary_reader())?;
    let mut graph = Graph::new(validator.len_locals() as usize);
    let base =
        |validator: &FuncValidator<R>| validator.get_control_frame(0).map_or(0, |f| f.height);
    for operator in body.get_operators_reader()?.into_iter_with_offsets() {
        let (operator, offset) = operator?;
        let around = base(validator);
        validator.op(offset, &operator)?;
        let height = validator.operand_stack_height() as usize;
        let below = if matches!(operator, Operator::End) { around } else { base(validator) };
        graph.note(&operator, Stack { height, values: height.saturating_sub(below) });
    }
    Ok(graph)
}

/// Works backwards until nothing changes: a piece has in use its reads, and everything in use after
/// it that it does not write. Loops are the only backward jumps, so this takes at most two passes
/// more than the nesting depth of loops.
fn in_use(graph: &Graph) -> Sets {
    let mut in_use = graph.reads.clone();
    let mut after = vec![0; in_use.words()];
    let mut changes = true;
    while std::mem::take(&mut changes) {
        for &piece in graph.order.iter().rev() {
            after.fill(0);
            for &next in &graph.pieces[piece].next {
                add(&mut after, in_use.row(next));
            }
            for (word, written) in after.iter_mut().zip(graph.writes.row(piece)) {
                *word &= !written;
            }
            changes |= add(in_use.of_mut(piece), &after);
        }
    }
    in_use
}

/// Adds one set to another; returns true if that changed it.
fn add(set: &mut [u64], more: &[u64]) -> bool {
    let changes = set.iter().zip(more).any(|(word, more)| more & !word != 0);
    set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
    changes
}

/// Moves to places where at least two paths meet, along all of them. Variables that are never
/// written stay in place.
fn moves(graph: &Graph, in_use: &Sets) -> u64 {
    let mut written = vec![0; in_use.words()];
    for &piece in &graph.order {
        add(&mut written, graph.writes.row(piece));
    }
    let joins = graph.order.iter().filter(|piece| graph.pieces[**piece].entries > 1);
    joins
        .map(|&piece| {
            let both = in_use.row(piece).iter().zip(&written);
            let variables: u64 = both.map(|(used, written)| ones(used & written)).sum();
            let values = graph.pieces[piece].stack.values as u64;
            let weight = if graph.pieces[piece].calls { CALLED } else { 1 };
            weight * graph.pieces[piece].entries as u64 * (variables + STACKED * values)
        })
        .sum()
}

/// Variables and stack values in use at the starts of pieces. Each entry of a jump table is a
/// separate piece.
fn values(graph: &Graph, in_use: &Sets) -> u64 {
    let reached = graph.order.iter().filter(|piece| graph.pieces[**piece].entries > 0);
    let begun = reached.chain(&graph.by_table);
    begun
        .map(|&piece| {
            let variables: u64 = in_use.row(piece).iter().copied().map(ones).sum();
            variables + graph.pieces[piece].stack.height as u64
        })
        .sum()
}

fn ones(word: u64) -> u64 {
    u64::from(word.count_ones())
}

#[cfg(test)]
mod tests;
