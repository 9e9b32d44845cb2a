//! Finds the groups of comparable agents. [`super::ratings`] calls it.
//!
//! L. R. Ford (1957): strengths have a finite estimate exactly if, for every division of the agents into two sets, some
//! agent of either set has scored against one of the other. In the graph with an edge from each agent to those against
//! whom it won or drew, this means strong connection. Otherwise each strong component is its own group, and all games
//! between two groups went one way.

/// The strongly connected components of the graph with the edges `edge(a, b)`: each as sorted indices, ordered by their
/// first members.
pub(super) fn strong_components(size: usize, edge: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let forward: Vec<Vec<usize>> = (0..size).map(|from| (0..size).filter(|&to| edge(from, to)).collect()).collect();
    let mut backward = vec![Vec::new(); size];
    for (from, targets) in forward.iter().enumerate() {
        for &to in targets {
            backward[to].push(from);
        }
    }
    let mut parted = vec![false; size];
    let mut components = Vec::new();
    for start in 0..size {
        if parted[start] {
            continue;
        }
        // A component is everything that a member can reach and that can reach it.
        let (there, back) = (reached(&forward, start), reached(&backward, start));
        let component: Vec<usize> = (0..size).filter(|&node| there[node] && back[node]).collect();
        for &member in &component {
            parted[member] = true;
        }
        components.push(component);
    }
    components
}

fn reached(edges: &[Vec<usize>], start: usize) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut open = vec![start];
    seen[start] = true;
    while let Some(node) = open.pop() {
        for &next in &edges[node] {
            if !seen[next] {
                seen[next] = true;
                open.push(next);
            }
        }
    }
    seen
}
