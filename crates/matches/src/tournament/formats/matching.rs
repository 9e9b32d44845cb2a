//! Maximum matchings in a graph, with free choice among them.
//!
//! Tells at once whether choosing a pair still leaves a maximum number of pairs, so that a round is paired by taking
//! the best feasible opponent for one player after the other, without backtracking. It has no weights: the caller,
//! [`super::pairing`], ranks the pairs.
//!
//! The kept pairs must be a maximum matching of the remaining vertices. It uses J. Edmonds' blossom algorithm (*Paths,
//! trees, and flowers*, 1965): a matching is maximum exactly if it has no augmenting path (C. Berge, 1957), so removing
//! two vertices costs at most one search for a path.

use std::collections::VecDeque;

/// A maximum matching of the remaining vertices of a graph.
pub(super) struct Matching<F> {
    allowed: F,
    mate: Vec<Option<usize>>,
    gone: Vec<bool>,
}

impl<F: Fn(usize, usize) -> bool> Matching<F> {
    /// A maximum matching of `vertices`; `allowed`, which must be symmetric, tells which two may be a pair.
    pub(super) fn among(vertices: &[usize], allowed: F) -> Self {
        let count = vertices.iter().max().map_or(0, |last| last + 1);
        let mut matching = Self { allowed, mate: vec![None; count], gone: vec![true; count] };
        for &vertex in vertices {
            matching.gone[vertex] = false;
        }
        for &vertex in vertices {
            if matching.mate[vertex].is_none() {
                matching.augment(vertex);
            }
        }
        matching
    }

    /// Whether no vertex is unmatched.
    pub(super) fn is_perfect(&self) -> bool {
        (0..self.mate.len()).all(|vertex| self.gone[vertex] || self.mate[vertex].is_some())
    }

    /// Whether `vertex` was removed.
    pub(super) fn is_gone(&self, vertex: usize) -> bool {
        self.gone[vertex]
    }

    /// Removes `a` and `b`, two that are still there, as a pair, if they may be one and the total number of pairs stays
    /// maximal.
    pub(super) fn take_pair(&mut self, a: usize, b: usize) -> bool {
        if !(self.allowed)(a, b) {
            return false;
        }
        let mates = [self.mate[a], self.mate[b]];
        self.take_out(a);
        self.take_out(b);
        let feasible = match mates {
            [Some(x), Some(y)] => x == b || self.augment(x) || self.augment(y),
            // One of the two was unmatched: one pair is lost and one gained.
            [Some(_) | None, None] | [None, Some(_)] => true,
        };
        if !feasible {
            self.put_back(a, mates[0]);
            self.put_back(b, mates[1]);
        }
        feasible
    }

    /// Removes `vertex` alone, if that costs no pair.
    pub(super) fn take_alone(&mut self, vertex: usize) -> bool {
        let mate = self.mate[vertex];
        self.take_out(vertex);
        let feasible = mate.is_none_or(|mate| self.augment(mate));
        if !feasible {
            self.put_back(vertex, mate);
        }
        feasible
    }

    fn take_out(&mut self, vertex: usize) {
        self.gone[vertex] = true;
        if let Some(mate) = self.mate[vertex].take() {
            self.mate[mate] = None;
        }
    }

    fn put_back(&mut self, vertex: usize, mate: Option<usize>) {
        self.gone[vertex] = false;
        self.mate[vertex] = mate;
        if let Some(mate) = mate {
            self.mate[mate] = Some(vertex);
        }
    }

    /// Searches an augmenting path from the unmatched `root` and flips it; changes nothing if there is none.
    fn augment(&mut self, root: usize) -> bool {
        let Some((end, before)) = AugmentingSearch::new(self, root).path() else {
            return false;
        };
        let mut vertex = Some(end);
        while let Some(outer) = vertex {
            let inner = before[outer].expect("every second vertex of the path knows the one before it");
            vertex = self.mate[inner];
            self.mate[outer] = Some(inner);
            self.mate[inner] = Some(outer);
        }
        true
    }
}

/// A breadth-first search for one augmenting path; shrinks blossoms (odd cycles) to their base.
struct AugmentingSearch<'a, F> {
    graph: &'a Matching<F>,
    /// Whether a vertex is at an even distance, so that the path may continue along any edge.
    even: Vec<bool>,
    /// The vertex from which another was reached along an unmatched edge.
    before: Vec<Option<usize>>,
    /// The base of the blossom that contains a vertex; the vertex itself if none does.
    base: Vec<usize>,
    queue: VecDeque<usize>,
}

impl<'a, F: Fn(usize, usize) -> bool> AugmentingSearch<'a, F> {
    fn new(graph: &'a Matching<F>, root: usize) -> Self {
        let count = graph.mate.len();
        let mut search = Self {
            graph,
            even: vec![false; count],
            before: vec![None; count],
            base: (0..count).collect(),
            queue: VecDeque::from([root]),
        };
        search.even[root] = true;
        search
    }

    /// The unmatched vertex at the end of a path, and the way back from it.
    fn path(mut self) -> Option<(usize, Vec<Option<usize>>)> {
        while let Some(from) = self.queue.pop_front() {
            for to in 0..self.base.len() {
                if self.leads_nowhere(from, to) {
                    continue;
                }
                if self.even[to] {
                    self.shrink(from, to);
                } else if self.before[to].is_none() {
                    self.before[to] = Some(from);
                    let Some(mate) = self.graph.mate[to] else {
                        return Some((to, self.before));
                    };
                    self.reach(mate);
                }
            }
        }
        None
    }

    fn leads_nowhere(&self, from: usize, to: usize) -> bool {
        self.graph.gone[to]
            || self.base[from] == self.base[to]
            || self.graph.mate[from] == Some(to)
            || !(self.graph.allowed)(from, to)
    }

    fn reach(&mut self, vertex: usize) {
        if !self.even[vertex] {
            self.even[vertex] = true;
            self.queue.push_back(vertex);
        }
    }

    /// The edge between `a` and `b` closes an odd cycle: shrinks it to its base.
    fn shrink(&mut self, a: usize, b: usize) {
        let base = self.common_base(a, b);
        let mut in_blossom = vec![false; self.base.len()];
        self.mark(a, b, base, &mut in_blossom);
        self.mark(b, a, base, &mut in_blossom);
        for vertex in 0..self.base.len() {
            if in_blossom[self.base[vertex]] {
                self.base[vertex] = base;
                self.reach(vertex);
            }
        }
    }

    /// Marks the bases from `vertex` up to `base`, and leads the way back through `child`.
    fn mark(&mut self, mut vertex: usize, mut child: usize, base: usize, in_blossom: &mut [bool]) {
        while self.base[vertex] != base {
            let mate = self.graph.mate[vertex].expect("an even vertex that is no root has a mate");
            in_blossom[self.base[vertex]] = true;
            in_blossom[self.base[mate]] = true;
            self.before[vertex] = Some(child);
            child = mate;
            vertex = self.before[mate].expect("an odd vertex was reached from somewhere");
        }
    }

    fn common_base(&self, a: usize, b: usize) -> usize {
        let mut seen = vec![false; self.base.len()];
        let mut vertex = self.base[a];
        loop {
            seen[vertex] = true;
            match self.base_above(vertex) {
                Some(above) => vertex = above,
                None => break,
            }
        }
        let mut vertex = self.base[b];
        while !seen[vertex] {
            vertex = self.base_above(vertex).expect("both ways lead to the root, which was seen");
        }
        vertex
    }

    /// The base before the base `vertex` on the way to the root; `None` at the root.
    fn base_above(&self, vertex: usize) -> Option<usize> {
        let mate = self.graph.mate[vertex]?;
        self.before[mate].map(|above| self.base[above])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The maximum number of pairs in `left`, by exhaustive search.
    fn most_pairs(left: &[usize], allowed: &impl Fn(usize, usize) -> bool) -> usize {
        let Some((&first, rest)) = left.split_first() else {
            return 0;
        };
        let without = most_pairs(rest, allowed);
        let with = rest.iter().filter(|&&other| allowed(first, other)).map(|&other| {
            let others: Vec<_> = rest.iter().copied().filter(|&vertex| vertex != other).collect();
            1 + most_pairs(&others, allowed)
        });
        with.max().unwrap_or(0).max(without)
    }

    fn size<F>(matching: &Matching<F>) -> usize {
        matching.mate.iter().flatten().count() / 2
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn a_matching_is_maximum_and_stays_so(
            count in 0..9_usize,
            edges in proptest::collection::vec(proptest::bool::weighted(0.3), 81),
            tries in proptest::collection::vec((0..9_usize, 0..9_usize), 20),
        ) {
            let allowed = |a: usize, b: usize| a != b && edges[a.min(b) * 9 + a.max(b)];
            let mut left: Vec<_> = (0..count).collect();
            let mut matching = Matching::among(&left, allowed);
            prop_assert_eq!(size(&matching), most_pairs(&left, &allowed));
            for (a, b) in tries {
                if !left.contains(&a) || !left.contains(&b) {
                    continue;
                }
                let rest: Vec<_> = left.iter().copied().filter(|&vertex| vertex != a && vertex != b).collect();
                let before = most_pairs(&left, &allowed);
                let possible = if a == b {
                    most_pairs(&rest, &allowed) == before
                } else {
                    allowed(a, b) && most_pairs(&rest, &allowed) + 1 == before
                };
                let taken = if a == b { matching.take_alone(a) } else { matching.take_pair(a, b) };
                prop_assert_eq!(taken, possible);
                if taken {
                    left = rest;
                }
                prop_assert_eq!(size(&matching), most_pairs(&left, &allowed));
            }
        }
    }
}
