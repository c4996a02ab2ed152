//! The control flow of a function: pieces of straight code and the jumps between them, with the
//! variables that each piece reads and writes.

use wasmparser::{BrTable, Operator};

/// A set of variables for each piece of code, one bit per variable.
#[derive(Clone)]
pub(super) struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    /// Number of words in one set.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    pub(super) fn row(&self, piece: usize) -> &[u64] {
        &self.bits[piece * self.words..][..self.words]
    }

    pub(super) fn of_mut(&mut self, piece: usize) -> &mut [u64] {
        &mut self.bits[piece * self.words..][..self.words]
    }

    fn has(&self, piece: usize, variable: usize) -> bool {
        self.row(piece)[variable / 64] >> (variable % 64) & 1 == 1
    }

    fn add(&mut self, piece: usize, variable: usize) {
        self.of_mut(piece)[variable / 64] |= 1 << (variable % 64);
    }

    fn grow(&mut self) {
        self.bits.resize(self.bits.len() + self.words, 0);
    }
}

/// Number of values on the stack where a piece begins.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Stack {
    /// On the whole stack.
    pub(super) height: usize,
    /// At the top, owned by the block.
    pub(super) values: usize,
}

/// A piece of straight code.
#[derive(Default)]
pub(super) struct Piece {
    /// The pieces that may follow.
    pub(super) next: Vec<usize>,
    /// Number of jumps that lead here, unreachable ones excluded.
    pub(super) entries: usize,
    /// The stack when it begins.
    pub(super) stack: Stack,
    /// True if a loop with a call in it begins here.
    pub(super) calls: bool,
}

/// A block that has not ended yet.
struct OpenBlock {
    /// Target of a branch to it.
    target: usize,
    end: usize,
    /// The other arm of an `if`, until it begins.
    otherwise: Option<usize>,
}

impl OpenBlock {
    fn head(&self) -> Option<usize> {
        (self.target != self.end).then_some(self.target)
    }
}

/// The pieces of a body, their order, and the variables that each reads and writes.
pub(super) struct Graph {
    variables: usize,
    pub(super) pieces: Vec<Piece>,
    /// Indexes of the pieces in the order of the code.
    pub(super) order: Vec<usize>,
    open: Vec<OpenBlock>,
    /// Targets of jump tables, entry by entry.
    pub(super) by_table: Vec<usize>,
    /// Variables read before they are written.
    pub(super) reads: Sets,
    pub(super) writes: Sets,
}

/// True if the operator compiles to a call.
fn calls(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::Call { .. }
            | Operator::CallIndirect { .. }
            | Operator::MemoryGrow { .. }
            | Operator::MemoryFill { .. }
            | Operator::MemoryCopy { .. }
            | Operator::MemoryInit { .. }
            | Operator::DataDrop { .. }
            | Operator::TableGet { .. }
            | Operator::TableSet { .. }
            | Operator::TableFill { .. }
            | Operator::TableGrow { .. }
            | Operator::TableInit { .. }
            | Operator::ElemDrop { .. }
            | Operator::RefFunc { .. }
    )
}

impl Graph {
    pub(super) fn new(variables: usize) -> Graph {
        let words = variables.div_ceil(64);
        let sets = || Sets { words, bits: Vec::new() };
        let mut graph = Graph {
            variables,
            pieces: Vec::new(),
            order: Vec::new(),
            open: Vec::new(),
            by_table: Vec::new(),
            reads: sets(),
            writes: sets(),
        };
        let (first, end) = (graph.piece(), graph.piece());
        graph.pieces[first].entries = 1;
        graph.order.push(first);
        graph.open.push(OpenBlock { target: end, end, otherwise: None });
        graph
    }

    fn piece(&mut self) -> usize {
        self.pieces.push(Piece::default());
        self.reads.grow();
        self.writes.grow();
        self.pieces.len() - 1
    }

    fn current(&self) -> usize {
        self.order[self.order.len() - 1]
    }

    /// Adds a jump from the current piece, if the piece is reachable.
    fn lead_to(&mut self, piece: usize) {
        let current = self.current();
        if self.pieces[current].entries > 0 {
            self.pieces[current].next.push(piece);
            self.pieces[piece].entries += 1;
        }
    }

    /// Adds the next operator, with the stack after it.
    pub(super) fn note(&mut self, operator: &Operator<'_>, stack: Stack) {
        let begun = self.order.len();
        self.follow(operator);
        for piece in &self.order[begun..] {
            self.pieces[*piece].stack = stack;
        }
    }

    fn follow(&mut self, operator: &Operator<'_>) {
        match operator {
            Operator::LocalGet { local_index } => self.read(*local_index as usize),
            Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                self.write(*local_index as usize);
            }
            Operator::Block { .. } => {
                let end = self.piece();
                self.open.push(OpenBlock { target: end, end, otherwise: None });
            }
            Operator::Loop { .. } => self.enter_loop(),
            Operator::If { .. } => self.enter_if(),
            Operator::Else => self.enter_else(),
            Operator::End => self.leave(),
            Operator::Br { relative_depth } => {
                self.branch(*relative_depth);
                self.begin_unreachable();
            }
            Operator::BrIf { relative_depth } => {
                self.branch(*relative_depth);
                let next = self.piece();
                self.lead_to(next);
                self.order.push(next);
            }
            Operator::BrTable { targets } => {
                self.branch_by_table(targets);
                self.begin_unreachable();
            }
            Operator::TableCopy { .. } => self.copy_table(),
            operator if calls(operator) => self.call(),
            // No variable is in use at the end of a function, so no jump there counts.
            Operator::Return | Operator::Unreachable => self.begin_unreachable(),
            _ => {}
        }
    }

    fn read(&mut self, variable: usize) {
        let piece = self.current();
        if variable < self.variables && !self.writes.has(piece, variable) {
            self.reads.add(piece, variable);
        }
    }

    fn write(&mut self, variable: usize) {
        let piece = self.current();
        if variable < self.variables {
            self.writes.add(piece, variable);
        }
    }

    fn enter_loop(&mut self) {
        let (head, end) = (self.piece(), self.piece());
        self.lead_to(head);
        self.order.push(head);
        self.open.push(OpenBlock { target: head, end, otherwise: None });
    }

    /// Notes a call in all open loops: values in use in them cannot stay in registers.
    fn call(&mut self) {
        for head in self.open.iter().filter_map(OpenBlock::head) {
            self.pieces[head].calls = true;
        }
    }

    /// The compiler makes two loops of it, of which one runs. Elements may need a call each.
    fn copy_table(&mut self) {
        for _ in 0..2 {
            self.enter_loop();
            self.call();
            self.branch(0);
            self.leave();
        }
    }

    fn enter_if(&mut self) {
        let (then, otherwise, end) = (self.piece(), self.piece(), self.piece());
        self.lead_to(then);
        self.lead_to(otherwise);
        self.order.push(then);
        self.open.push(OpenBlock { target: end, end, otherwise: Some(otherwise) });
    }

    fn enter_else(&mut self) {
        let Some(open) = self.open.last_mut() else { return };
        let (end, Some(otherwise)) = (open.end, open.otherwise.take()) else { return };
        self.lead_to(end);
        self.order.push(otherwise);
    }

    fn leave(&mut self) {
        let Some(OpenBlock { end, otherwise, .. }) = self.open.pop() else { return };
        self.lead_to(end);
        if let Some(otherwise) = otherwise {
            self.order.push(otherwise);
            self.lead_to(end);
        }
        self.order.push(end);
    }

    fn branch(&mut self, depth: u32) {
        let around = self.open.len().checked_sub(1 + depth as usize);
        if let Some(target) = around.map(|number| self.open[number].target) {
            self.lead_to(target);
        }
    }

    fn branch_by_table(&mut self, targets: &BrTable<'_>) {
        let before = self.pieces[self.current()].next.len();
        targets.targets().flatten().for_each(|depth| self.branch(depth));
        self.branch(targets.default());
        self.by_table.extend_from_slice(&self.pieces[self.current()].next[before..]);
    }

    fn begin_unreachable(&mut self) {
        let next = self.piece();
        self.order.push(next);
    }
}
