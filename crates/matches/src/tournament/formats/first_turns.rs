//! Chooses the beginner of each encounter, so that over the event everybody begins as often as not. Formats call it.
//!
//! It only matters if two play an odd number of games; of an even number, each begins half.

use std::collections::VecDeque;

/// Each pair, its beginner first. `begun` is how many more games each player has begun than not.
///
/// The player who has begun less often begins; then beginners are exchanged along chains of pairs while that reduces
/// the sum of squares of `begun`, down to its minimum. If all start at 0, nobody ends beyond 1.
pub(super) fn assign_first_turns(pairs: &[[usize; 2]], begun: &[i32]) -> Vec<[usize; 2]> {
    let mut deal = FirstTurnPlan { pairs: Vec::with_capacity(pairs.len()), begun: begun.to_vec() };
    for (index, &[a, b]) in pairs.iter().enumerate() {
        deal.add(index, [a, b]);
    }
    while let Some(chain) = deal.exchange() {
        for index in chain {
            deal.reverse(index);
        }
    }
    deal.pairs
}

struct FirstTurnPlan {
    pairs: Vec<[usize; 2]>,
    begun: Vec<i32>,
}

impl FirstTurnPlan {
    fn add(&mut self, index: usize, [a, b]: [usize; 2]) {
        let a_begins = match self.begun[a].cmp(&self.begun[b]) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => index.is_multiple_of(2),
            std::cmp::Ordering::Greater => false,
        };
        let pair = if a_begins { [a, b] } else { [b, a] };
        self.begun[pair[0]] += 1;
        self.begun[pair[1]] -= 1;
        self.pairs.push(pair);
    }

    fn reverse(&mut self, index: usize) {
        let [first_player, follower] = self.pairs[index];
        self.begun[first_player] -= 2;
        self.begun[follower] += 2;
        self.pairs[index] = [follower, first_player];
    }

    /// A chain of pairs, each follower the beginner of the next, from a player who begins too often to one who begins
    /// at least 3 times less.
    fn exchange(&self) -> Option<Vec<usize>> {
        let least = self.begun.iter().min()?;
        let mut eager: Vec<_> = (0..self.begun.len()).filter(|&player| self.begun[player] - least >= 3).collect();
        if eager.is_empty() {
            return None;
        }
        let mut following = vec![Vec::new(); self.begun.len()];
        for (index, pair) in self.pairs.iter().enumerate() {
            following[pair[0]].push(index);
        }
        eager.sort_by_key(|&player| std::cmp::Reverse(self.begun[player]));
        eager.into_iter().find_map(|player| self.chain_from(player, &following))
    }

    fn chain_from(&self, start: usize, following: &[Vec<usize>]) -> Option<Vec<usize>> {
        let mut reached_by = vec![None; self.begun.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(player) = queue.pop_front() {
            if self.begun[start] - self.begun[player] >= 3 {
                return Some(self.path_between(start, player, &reached_by));
            }
            for &index in &following[player] {
                let next = self.pairs[index][1];
                if next != start && reached_by[next].is_none() {
                    reached_by[next] = Some(index);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn path_between(&self, start: usize, end: usize, reached_by: &[Option<usize>]) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut player = end;
        while player != start {
            let index = reached_by[player].expect("whoever is on the chain was reached by a pair");
            chain.push(index);
            player = self.pairs[index][0];
        }
        chain
    }
}
