//! A board: which nodes an edge joins, in the order of the edge string.
//! The two printed boards are here; any other edge string makes a board too.

use super::{EdgeType, EdgeTypes, StateError};

/// Edges and their types of the standard board: 32 nodes, 49 edges.
pub const STANDARD_EDGES: &str = "S0001S0004F0105L0204F0206L0203L0306S0307L0408S0409S0510F0508F0611S0712F0813S0809S0911S1015F1114L1112S1216F1217S1315F1314L1418L1419F1520L1619S1617F1722L1820L1823S1924F1921F2025L2126F2122L2226F2325F2324F2427S2428L2529L2628L2729L2728S2831S2930S3031";

/// Edges and their classes of the Loom as the course's description prints them: 33 nodes, 66 edges
/// of the classes `A` to `D`. Sources disagree on edge 2428: see [`Edge2428`].
pub const LOOM_CLASSES: &str = "A0001B0002C0004D0104B0105B0203A0204A0206B0306B0307D0408C0409D0508A0510A0607A0609D0611C0712B0809B0810A0813C0911B0914C1013A1015D1112C1116C1216D1217D1314A1315C1318B1418D1419A1520A1617D1619A1621C1722A1819B1820A1823B1921D1924D2023B2025A2122A2124B2126D2227D2324A2325C2328B2426A2428C2529B2627D2630C2631C2731A2829C2830D2832D2932C3031D3032";

/// The type of each class of the Loom: for `A`, `B`, `C` and `D`; each type once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mapping([EdgeType; EdgeType::COUNT]);

impl Mapping {
    /// The mapping of the original description's example, `LSEF`.
    pub const DEFAULT: Mapping =
        Mapping([EdgeType::Leadership, EdgeType::Strength, EdgeType::Empty, EdgeType::Force]);

    /// Number of mappings.
    pub const COUNT: u32 = 24;

    /// A mapping; `None` unless each type comes once.
    pub fn new(types: [EdgeType; EdgeType::COUNT]) -> Option<Mapping> {
        EdgeType::ALL.iter().all(|kind| types.contains(kind)).then_some(Mapping(types))
    }

    /// Every mapping.
    pub fn all() -> impl Iterator<Item = Mapping> {
        let types = EdgeType::ALL;
        let index = |number: usize, at: u32| number / 4_usize.pow(at) % 4;
        (0..256)
            .filter_map(move |number| Mapping::new([0, 1, 2, 3].map(|at| types[index(number, at)])))
    }

    /// The mapping of four letters, such as `LSEF`; `None` unless each of `SLFE` comes once.
    pub fn from_letters(letters: &str) -> Option<Mapping> {
        let types: Option<Vec<_>> = letters.bytes().map(EdgeType::from_letter).collect();
        Mapping::new(types?.try_into().ok()?)
    }

    /// The type of a class `A` to `D`.
    fn edge_type(self, class: u8) -> EdgeType {
        self.0[usize::from(class - b'A')]
    }
}

impl std::fmt::Display for Mapping {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|kind| write!(f, "{kind}"))
    }
}

/// Class of the Loom's edge 2428. `README.md` has the evidence for both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Edge2428 {
    /// As the course's description prints it.
    #[default]
    A,
    /// As on the example board of that description.
    B,
}

/// Edges and their classes of the Loom; those of [`LOOM_CLASSES`] but for edge 2428.
pub fn loom_classes(edge_2428: Edge2428) -> String {
    match edge_2428 {
        Edge2428::A => LOOM_CLASSES.to_owned(),
        Edge2428::B => LOOM_CLASSES.replace("A2428", "B2428"),
    }
}

/// The edge string of the Loom under a mapping.
pub fn loom_edges(mapping: Mapping, edge_2428: Edge2428) -> String {
    loom_classes(edge_2428)
        .bytes()
        .map(|byte| match byte {
            b'A'..=b'D' => mapping.edge_type(byte).letter(),
            digit => char::from(digit),
        })
        .collect()
}

/// The edges between nodes. They are numbered from 0 in the order of the edge string; their types
/// belong to the position, because Warps change them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    ends: [(u8, u8); Board::MAX_EDGES],
    edges: u8,
    nodes: u8,
    /// By node: one bit for each node that an edge joins to it.
    neighbours: [u64; Board::MAX_NODES],
    /// By node and node: the edge, or [`NO_EDGE`].
    between: [[u8; Board::MAX_NODES]; Board::MAX_NODES],
}

const NO_EDGE: u8 = u8::MAX;

impl Board {
    /// Most nodes of a board: those of the Loom.
    pub const MAX_NODES: usize = 33;

    /// Most edges of a board: those of the Loom.
    pub const MAX_EDGES: usize = 66;

    /// Nodes of every board that does not name node 32.
    pub(super) const STANDARD_NODES: u8 = 32;

    fn new() -> Board {
        Board {
            ends: [(0, 0); Board::MAX_EDGES],
            edges: 0,
            nodes: Board::STANDARD_NODES,
            neighbours: [0; Board::MAX_NODES],
            between: [[NO_EDGE; Board::MAX_NODES]; Board::MAX_NODES],
        }
    }

    /// Reads an edge string: the board and the types of its edges. A board has 33 nodes when an
    /// edge names node 32, otherwise 32.
    ///
    /// # Errors
    /// When the text is not well formed, names a node that no board has, joins two nodes twice or
    /// one to itself, or has more than 66 edges.
    pub fn parse(edges: &str) -> Result<(Board, EdgeTypes), StateError> {
        let (mut board, mut types) = (Board::new(), EdgeTypes::ZERO);
        let found = edges.len() / 5;
        let edges = super::notation::edges(edges)?;
        if found > Board::MAX_EDGES {
            return Err(StateError::TooManyEdges(found));
        }
        for edge in edges {
            let (kind, one, other) = edge?;
            let number = board.join(one, other)?;
            types.set(number, kind);
        }
        Ok((board, types))
    }

    /// Adds an edge and gives its number.
    fn join(&mut self, one: u8, other: u8) -> Result<usize, StateError> {
        let (a, b, number) = (usize::from(one), usize::from(other), self.edges());
        if a.max(b) >= Board::MAX_NODES {
            let last = Board::MAX_NODES - 1;
            return Err(StateError::NoSuchEdgeNode(number + 1, one.max(other), last));
        }
        if a == b {
            return Err(StateError::Loop(number + 1, one));
        }
        if self.between[a][b] != NO_EDGE {
            return Err(StateError::JoinedTwice(number + 1, one, other));
        }
        *self.ends.get_mut(number).ok_or(StateError::TooManyEdges(number + 1))? = (one, other);
        self.between[a][b] = self.edges;
        self.between[b][a] = self.edges;
        self.neighbours[a] |= 1 << b;
        self.neighbours[b] |= 1 << a;
        self.edges += 1;
        self.nodes = self.nodes.max(one.max(other) + 1);
        Ok(number)
    }

    /// Number of nodes; they are numbered from 0.
    pub fn nodes(&self) -> usize {
        usize::from(self.nodes)
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        usize::from(self.edges)
    }

    /// The end nodes of every edge, in the order of the edge string.
    pub fn ends(&self) -> &[(u8, u8)] {
        &self.ends[..self.edges()]
    }

    /// The edge between two nodes.
    pub fn edge(&self, one: u8, other: u8) -> Option<usize> {
        let edge = *self.between.get(usize::from(one))?.get(usize::from(other))?;
        (edge != NO_EDGE).then_some(usize::from(edge))
    }

    /// The nodes joined to a node, one bit each; none for a node that does not exist.
    pub fn neighbours(&self, node: u8) -> u64 {
        self.neighbours.get(usize::from(node)).copied().unwrap_or(0)
    }

    /// Number of edges at a node.
    pub fn degree(&self, node: u8) -> u32 {
        self.neighbours(node).count_ones()
    }

    /// All nodes, one bit each.
    pub fn all(&self) -> u64 {
        (1 << self.nodes) - 1
    }
}

/// The numbers of the bits that are set, in ascending order.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        u8::try_from(bit).ok().filter(|bit| *bit < 64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn degrees(board: &Board) -> Vec<usize> {
        let nodes = bits(board.all());
        let mut counts = vec![0; 6];
        nodes.for_each(|node| counts[board.degree(node) as usize] += 1);
        counts
    }

    fn loom(letters: &str, edge_2428: Edge2428) -> String {
        loom_edges(Mapping::from_letters(letters).expect("a mapping"), edge_2428)
    }

    #[test]
    fn the_standard_board_has_the_counted_nodes_and_edges() {
        let (board, types) = Board::parse(STANDARD_EDGES).expect("a board");
        assert_eq!((board.nodes(), board.edges()), (32, 49));
        assert_eq!(degrees(&board), [0, 0, 6, 18, 8, 0]);
        let count = |kind| (0..49).filter(|edge| types.get(*edge) == kind).count();
        assert_eq!(EdgeType::ALL.map(count), [17, 16, 16, 0]);
    }

    #[test]
    fn the_loom_has_the_counted_nodes_and_edges() {
        for (edge_2428, counts) in
            [(Edge2428::A, [19, 15, 15, 17]), (Edge2428::B, [18, 16, 15, 17])]
        {
            let (board, types) = Board::parse(&loom("SLFE", edge_2428)).expect("a board");
            assert_eq!((board.nodes(), board.edges()), (33, 66));
            assert_eq!(degrees(&board), [0, 0, 0, 13, 7, 13]);
            let count = |kind| (0..66).filter(|edge| types.get(*edge) == kind).count();
            assert_eq!(EdgeType::ALL.map(count), counts);
        }
    }

    #[test]
    fn the_sample_mapping_gives_the_sample_board() {
        let text = loom("LSEF", Edge2428::B);
        assert!(text.starts_with("L0001S0002E0004F0104S0105S0203L0204L0206S0306S0307F0408E0409"));
        assert!(
            text.ends_with("S2426S2428E2529S2627F2630E2631E2731L2829E2830F2832F2932E3031F3032")
        );
        assert_eq!(loom("LSEF", Edge2428::A), text.replace("S2428", "L2428"));
    }

    #[test]
    fn a_mapping_uses_each_type_once() {
        for letters in ["LSE", "LSEFF", "LSEE", "LSEX", "lsef", ""] {
            assert_eq!(Mapping::from_letters(letters), None, "{letters}");
        }
        assert_eq!(Mapping::from_letters("EFLS").expect("a mapping").to_string(), "EFLS");
    }

    #[test]
    fn all_mappings_are_different() {
        let texts: std::collections::BTreeSet<_> = Mapping::all().map(|m| m.to_string()).collect();
        assert_eq!((texts.len(), Mapping::all().count()), (24, Mapping::COUNT as usize));
    }

    #[test]
    fn an_edge_is_found_from_both_ends() {
        let (board, _) = Board::parse(STANDARD_EDGES).expect("a board");
        for (number, (one, other)) in board.ends().iter().enumerate() {
            assert_eq!(board.edge(*one, *other), Some(number));
            assert_eq!(board.edge(*other, *one), Some(number));
        }
        assert_eq!(board.edge(0, 2), None);
        assert_eq!(board.edge(0, 99), None);
        assert_eq!(bits(board.neighbours(4)).collect::<Vec<_>>(), [0, 2, 8, 9]);
        assert_eq!(board.neighbours(99), 0);
    }

    #[test]
    fn the_empty_and_the_full_set_have_the_right_bits() {
        assert_eq!(bits(0).count(), 0);
        assert_eq!(bits(u64::MAX).count(), 64);
    }
}
