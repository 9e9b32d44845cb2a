//! Decides whether a round with missing games is resubmitted automatically. A pure function; `referee slurm advance`
//! calls it.

use super::{JobKind, SlurmJobs};

/// The number of consecutive submissions without a finished game after which retrying is useless. A single one may have
/// had bad nodes.
const MAX_FRUITLESS: usize = 2;

/// The decision about a round with missing games after its array has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundRetry {
    /// Resubmit it.
    Again,
    /// It was resubmitted too often.
    TooOften(usize),
    /// This many consecutive submissions finished no game.
    Fruitless(usize),
}

impl RoundRetry {
    /// Decides about `round` of a run with `finished` games now, allowing at most `retries` automatic repetitions.
    ///
    /// A manual submission resets both limits. So a chain ends whatever is broken: an agent, a node, or the program.
    pub fn decide(jobs: &SlurmJobs, round: u32, finished: usize, retries: u32) -> Self {
        let attempts = attempts(jobs, round);
        let after = std::iter::once(finished).chain(attempts.iter().copied());
        let fruitless = after.zip(&attempts).take_while(|(after, before)| after <= before).count();
        let repetitions = attempts.len().saturating_sub(1);
        if fruitless >= MAX_FRUITLESS {
            Self::Fruitless(fruitless)
        } else if repetitions >= usize::try_from(retries).unwrap_or(usize::MAX) {
            Self::TooOften(repetitions)
        } else {
            Self::Again
        }
    }
}

/// The number of finished games before each array of the round, latest first, back to the last manual submission.
fn attempts(jobs: &SlurmJobs, round: u32) -> Vec<usize> {
    let mut attempts = vec![];
    for job in jobs.jobs.iter().rev() {
        match job.kind {
            JobKind::Next => {}
            JobKind::Shards { .. } if job.round != round => break,
            JobKind::Shards { finished_before, by_itself, .. } => {
                attempts.push(finished_before);
                if !by_itself {
                    break;
                }
            }
        }
    }
    attempts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::slurm::{SlurmJob, SlurmRequest};

    /// Arrays as round, games finished before, and whether the chain submitted them; each with a job behind it.
    fn jobs(arrays: &[(u32, usize, bool)]) -> SlurmJobs {
        let mut jobs = SlurmJobs::default();
        for (number, &(round, finished_before, by_itself)) in (0..).zip(arrays) {
            let array = JobKind::Shards { shards: 8, finished_before, by_itself };
            for kind in [array, JobKind::Next] {
                jobs.jobs.push(SlurmJob::new(number, kind, round, number, SlurmRequest::plain()));
            }
        }
        jobs
    }

    #[test]
    fn a_round_is_submitted_again_while_that_is_of_use() {
        use RoundRetry::{Again, Fruitless, TooOften};
        for (arrays, finished, expected) in [
            // A single submission without a finished game may have had bad luck.
            (&[(1, 0, false)][..], 0, Again),
            (&[(1, 0, false), (1, 0, true)], 0, Fruitless(2)),
            (&[(1, 0, false), (1, 0, true)], 1, Again),
            (&[(1, 0, false), (1, 5, true), (1, 5, true)], 5, Fruitless(2)),
            // A manual submission resets the limits.
            (&[(1, 0, false), (1, 0, true), (1, 0, false)], 0, Again),
            // Three useful repetitions.
            (&[(1, 0, false), (1, 1, true), (1, 2, true), (1, 3, true)], 4, TooOften(3)),
            (&[(1, 0, false), (1, 1, true), (1, 2, true)], 3, Again),
            // The first submission of a round is no repetition; other rounds do not count.
            (&[(1, 0, false), (1, 1, true), (2, 9, true)], 9, Again),
            (&[(1, 0, false), (2, 9, true), (2, 9, true)], 9, Fruitless(2)),
            (&[], 0, Again),
        ] {
            assert_eq!(
                RoundRetry::decide(&jobs(arrays), arrays.last().map_or(1, |last| last.0), finished, 3),
                expected,
                "{arrays:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_chain_ends(gains in proptest::collection::vec(0_usize..3, 20), retries in 0_u32..10) {
            let (mut arrays, mut finished) = (vec![(1, 0, false)], 0);
            for gain in gains {
                finished += gain;
                if RoundRetry::decide(&jobs(&arrays), 1, finished, retries) != RoundRetry::Again {
                    break;
                }
                arrays.push((1, finished, true));
            }
            prop_assert!(arrays.len() <= 1 + retries as usize);
        }
    }
}
