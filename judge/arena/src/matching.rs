//! Maximum matchings (Edmonds, "Paths, trees, and flowers", 1965): the largest number of disjoint
//! couples among given edges. Every method finds the same number.

use std::collections::VecDeque;

/// Largest number of couples among `count` players; `joined` says which two may form one.
pub(crate) fn most_couples(count: usize, joined: &dyn Fn(usize, usize) -> bool) -> usize {
    let mut mates: Vec<Option<usize>> = vec![None; count];
    for one in 0..count {
        // Greedy matching; the search below is only for the remaining players.
        let free = |other: &usize| mates[*other].is_none() && joined(one, *other);
        if mates[one].is_none()
            && let Some(other) = (one + 1..count).find(free)
        {
            (mates[one], mates[other]) = (Some(other), Some(one));
        }
    }
    for root in 0..count {
        if mates[root].is_none() {
            PathSearch::new(&mut mates, joined).grow(root);
        }
    }
    mates.iter().flatten().count() / 2
}

/// A search for a path between two single players along which couples can be swapped, so that both
/// get a mate.
struct PathSearch<'a> {
    mates: &'a mut [Option<usize>],
    joined: &'a dyn Fn(usize, usize) -> bool,
    /// The player from which each player was reached, other than its mate.
    from: Vec<Option<usize>>,
    /// The lowest player of the odd cycle (blossom) that each player is part of.
    base: Vec<usize>,
    /// Nodes at an even distance from the root, from which any edge may be followed.
    even: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'a> PathSearch<'a> {
    fn new(
        mates: &'a mut [Option<usize>],
        joined: &'a dyn Fn(usize, usize) -> bool,
    ) -> PathSearch<'a> {
        let count = mates.len();
        let (from, base, even) = (vec![None; count], (0..count).collect(), vec![false; count]);
        PathSearch { mates, joined, from, base, even, queue: VecDeque::new() }
    }

    /// Looks for such a path from `root`, and swaps along it.
    fn grow(&mut self, root: usize) {
        self.even[root] = true;
        self.queue.push_back(root);
        while let Some(one) = self.queue.pop_front() {
            for other in 0..self.mates.len() {
                let known = self.base[one] == self.base[other] || self.mates[one] == Some(other);
                if known || one == other || !(self.joined)(one, other) {
                    continue;
                }
                if self.is_even(other, root) {
                    self.contract(one, other);
                } else if self.from[other].is_none() {
                    self.from[other] = Some(one);
                    let Some(mate) = self.mates[other] else { return self.swap(other) };
                    self.even[mate] = true;
                    self.queue.push_back(mate);
                }
            }
        }
    }

    fn is_even(&self, one: usize, root: usize) -> bool {
        one == root || self.mates[one].is_some_and(|mate| self.from[mate].is_some())
    }

    /// Contracts the cycle through two joined players at even distances into one vertex.
    fn contract(&mut self, one: usize, other: usize) {
        let lowest = self.meet(one, other);
        let mut inside = vec![false; self.base.len()];
        self.mark(one, lowest, other, &mut inside);
        self.mark(other, lowest, one, &mut inside);
        for at in 0..self.base.len() {
            if inside[self.base[at]] {
                self.base[at] = lowest;
                if !self.even[at] {
                    self.even[at] = true;
                    self.queue.push_back(at);
                }
            }
        }
    }

    /// Common ancestor of two nodes.
    fn meet(&self, one: usize, other: usize) -> usize {
        let mut passed = vec![false; self.base.len()];
        let mut at = self.base[one];
        loop {
            passed[at] = true;
            let Some(up) = self.up(at) else { break };
            at = up;
        }
        at = self.base[other];
        while !passed[at] {
            // Both paths end at the root.
            let Some(up) = self.up(at) else { break };
            at = up;
        }
        at
    }

    /// The next base on the path to the root.
    fn up(&self, base: usize) -> Option<usize> {
        Some(self.base[self.from[self.mates[base]?]?])
    }

    /// Reverses the path from `at` down to the base `lowest`, so that it can be followed in both
    /// directions.
    fn mark(&mut self, mut at: usize, lowest: usize, mut child: usize, inside: &mut [bool]) {
        while self.base[at] != lowest {
            let Some(mate) = self.mates[at] else { return };
            inside[self.base[at]] = true;
            inside[self.base[mate]] = true;
            self.from[at] = Some(child);
            child = mate;
            let Some(next) = self.from[mate] else { return };
            at = next;
        }
    }

    /// Swaps couples along the path from `end` to the root.
    fn swap(&mut self, end: usize) {
        let mut at = Some(end);
        while let Some(one) = at
            && let Some(other) = self.from[one]
        {
            at = self.mates[other];
            (self.mates[one], self.mates[other]) = (Some(other), Some(one));
        }
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{Purpose, Seed};

    use super::most_couples;

    fn pairs_found(count: usize, edges: &[(usize, usize)]) -> usize {
        let joined = |one, other| edges.contains(&(one, other)) || edges.contains(&(other, one));
        most_couples(count, &joined)
    }

    /// The number by trying everything.
    fn tried(people: &[usize], edges: &[(usize, usize)]) -> usize {
        let Some((one, rest)) = people.split_first() else { return 0 };
        let alone = tried(rest, edges);
        let with = rest.iter().filter(|other| edges.contains(&(*one, **other))).map(|other| {
            let others: Vec<usize> = rest.iter().copied().filter(|at| at != other).collect();
            1 + tried(&others, edges)
        });
        with.max().unwrap_or(0).max(alone)
    }

    #[test]
    fn pairs_are_found_despite_odd_cycles() {
        assert_eq!(pairs_found(0, &[]), 0);
        assert_eq!(pairs_found(3, &[(0, 1), (1, 2), (0, 2)]), 1);
        // Two triangles: three players remain after they met all the others.
        assert_eq!(pairs_found(6, &[(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]), 2);
        // A stem that leads into a cycle of five, and out again.
        let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 2), (4, 7)];
        assert_eq!(pairs_found(8, &edges), 4);
    }

    #[test]
    fn a_perfect_matching_is_found_if_there_is_one() {
        for seed in 0..600 {
            let mut random = Seed(seed).random(Purpose::Chance);
            let (count, density) = (2 + random.below(8) as usize, 1 + random.below(9));
            let edges: Vec<(usize, usize)> = (0..count)
                .flat_map(|one| (one + 1..count).map(move |other| (one, other)))
                .filter(|_| random.below(10) < density)
                .collect();
            let people: Vec<usize> = (0..count).collect();
            assert_eq!(pairs_found(count, &edges), tried(&people, &edges), "{count}: {edges:?}");
        }
    }
}
