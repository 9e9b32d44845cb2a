//! Programs of the kernel's system call filter (seccomp(2), classic BPF), from a table of decisions.
//!
//! It decides nothing about any system call; `seccomp` has the table. A launcher installs the program anew for each
//! run, and the kernel checks and translates every instruction of it, so it must be short: a binary search by number,
//! ends that all searches share, and one test for each group of flags. Calls that are always allowed must not lead past
//! an argument, so that the kernel can remember them (`seccomp_is_const_allow`).

use std::collections::BTreeMap;

use nix::libc::{self, c_long, sock_filter};

/// The decisions about system calls that are not simply allowed.
pub(super) type CallDecisions = BTreeMap<c_long, CallDecision>;

/// What happens to a system call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CallDecision {
    Allowed,
    /// Allowed if all conditions hold, otherwise refused.
    AllowedIf(Vec<Condition>),
    /// Fails with `EPERM`.
    Refused,
    /// Fails with `ENOSYS`.
    Unknown,
    /// Fails with `EINVAL`, as where the kernel cannot do it with these files.
    Unfit,
    /// Fails with `EOPNOTSUPP`, as where the file system does not support it.
    Unsupported,
    /// Ends the process.
    Deadly,
}

/// A condition on those bits of an argument, which is counted from 0, that are in `mask`; only its lower half is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) argument: u8,
    pub(super) mask: u32,
    pub(super) test: ArgumentTest,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ArgumentTest {
    OneOf(Vec<u32>),
    NoneOf(Vec<u32>),
}

const LOAD_WORD: u16 = 0x20;
const AND: u16 = 0x54;
const JUMP: u16 = 0x05;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;

// The places in a filter's input (`struct seccomp_data`), on little-endian machines.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;
const ARGUMENT_BYTES: u32 = 8;

/// Compiles decisions, each from its number to the next one. Calls of another `architecture` are deadly.
pub(super) fn compile(ranges: &[(u32, CallDecision)], architecture: u32) -> Vec<sock_filter> {
    let mut program = Assembler::default();
    let error = |errno: i32| libc::SECCOMP_RET_ERRNO | errno.cast_unsigned();
    let allowed = program.put(RETURN, libc::SECCOMP_RET_ALLOW);
    let refused = program.put(RETURN, error(libc::EPERM));
    let unknown = program.put(RETURN, error(libc::ENOSYS));
    let unfit = program.put(RETURN, error(libc::EINVAL));
    let unsupported = program.put(RETURN, error(libc::EOPNOTSUPP));
    let deadly = program.put(RETURN, libc::SECCOMP_RET_KILL_PROCESS);
    let mut target = |decision: &CallDecision| match decision {
        CallDecision::Allowed => allowed,
        CallDecision::AllowedIf(conditions) => {
            conditions.iter().rev().fold(allowed, |then, condition| program.test(condition, then, refused))
        }
        CallDecision::Refused => refused,
        CallDecision::Unknown => unknown,
        CallDecision::Unfit => unfit,
        CallDecision::Unsupported => unsupported,
        CallDecision::Deadly => deadly,
    };
    let targets: Vec<(u32, Label)> = ranges.iter().map(|(start, decision)| (*start, target(decision))).collect();
    let search = program.search(&targets);
    let number = program.load(NUMBER, search);
    let own = program.branch(JUMP_IF_EQUAL, architecture, number, deadly);
    program.load(ARCHITECTURE, own);
    program.reversed.reverse();
    program.reversed
}

/// An instruction, by the number of those from it to the end.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Label(usize);

/// A program under construction, from its end to its beginning, because jumps only lead forwards.
#[derive(Default)]
struct Assembler {
    reversed: Vec<sock_filter>,
}

impl Assembler {
    fn put(&mut self, code: u16, k: u32) -> Label {
        self.put_jump(code, k, 0, 0)
    }

    fn put_jump(&mut self, code: u16, k: u32, jt: u8, jf: u8) -> Label {
        self.reversed.push(sock_filter { code, jt, jf, k });
        Label(self.reversed.len())
    }

    /// Loads a word of the input and goes on at `then`.
    fn load(&mut self, place: u32, then: Label) -> Label {
        self.reach(then);
        self.put(LOAD_WORD, place)
    }

    /// Makes `label` what comes next.
    fn reach(&mut self, label: Label) {
        let skipped = self.distance(label);
        if skipped > 0 {
            self.put(JUMP, skipped);
        }
    }

    /// The number of instructions between the next one to be put and `label`.
    fn distance(&self, label: Label) -> u32 {
        u32::try_from(self.reversed.len() - label.0).expect("a filter is short")
    }

    /// A label for the same that a conditional jump can reach, also after one more instruction.
    fn nearby_label(&mut self, label: Label) -> Label {
        if self.distance(label) < u8::MAX.into() {
            return label;
        }
        self.reach(label);
        Label(self.reversed.len())
    }

    fn branch(&mut self, code: u16, k: u32, yes: Label, no: Label) -> Label {
        let (yes, no) = (self.nearby_label(yes), self.nearby_label(no));
        let [jt, jf] = [yes, no].map(|label| u8::try_from(self.distance(label)).expect("it is near"));
        self.put_jump(code, k, jt, jf)
    }

    fn test(&mut self, condition: &Condition, holds: Label, fails: Label) -> Label {
        let first = match &condition.test {
            ArgumentTest::OneOf(values) => {
                values.iter().fold(fails, |otherwise, value| self.branch(JUMP_IF_EQUAL, *value, holds, otherwise))
            }
            ArgumentTest::NoneOf(values) => {
                values.iter().fold(holds, |otherwise, value| self.branch(JUMP_IF_EQUAL, *value, fails, otherwise))
            }
        };
        let first = match condition.mask {
            u32::MAX => first,
            mask => {
                self.reach(first);
                self.put(AND, mask)
            }
        };
        self.load(ARGUMENTS + ARGUMENT_BYTES * u32::from(condition.argument), first)
    }

    /// Finds the target of the loaded number; the first one's is for all numbers below the second.
    fn search(&mut self, targets: &[(u32, Label)]) -> Label {
        if let [(_, target)] = targets {
            return *target;
        }
        let (low, high) = targets.split_at(targets.len() / 2);
        let [lower, upper] = [low, high].map(|half| self.search(half));
        if lower == upper {
            return lower;
        }
        self.branch(JUMP_IF_AT_LEAST, high[0].0, upper, lower)
    }
}

/// What a program says to a system call, as the kernel runs it.
#[cfg(test)]
pub(super) fn run(program: &[sock_filter], architecture: u32, number: u32, arguments: [u64; 6]) -> u32 {
    let (mut at, mut word) = (0, 0_u32);
    loop {
        let sock_filter { code, jt, jf, k } = program[at];
        at += 1;
        let jump = |holds: bool| usize::from(if holds { jt } else { jf });
        match code {
            LOAD_WORD if k == NUMBER => word = number,
            LOAD_WORD if k == ARCHITECTURE => word = architecture,
            LOAD_WORD => {
                assert_eq!((k - ARGUMENTS) % ARGUMENT_BYTES, 0, "the lower half");
                word = lower_half(arguments[((k - ARGUMENTS) / ARGUMENT_BYTES) as usize]);
            }
            AND => word &= k,
            JUMP => at += k as usize,
            JUMP_IF_EQUAL => at += jump(word == k),
            JUMP_IF_AT_LEAST => at += jump(word >= k),
            RETURN => return k,
            other => panic!("{other:#x}"),
        }
    }
}

#[cfg(test)]
fn lower_half(argument: u64) -> u32 {
    u32::try_from(argument & u64::from(u32::MAX)).expect("it has 32 bits")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OWN: u32 = 7;

    impl Condition {
        fn holds(&self, arguments: [u64; 6]) -> bool {
            let argument = lower_half(arguments[usize::from(self.argument)]) & self.mask;
            match &self.test {
                ArgumentTest::OneOf(values) => values.contains(&argument),
                ArgumentTest::NoneOf(values) => !values.contains(&argument),
            }
        }
    }

    fn expected(decision: &CallDecision, arguments: [u64; 6]) -> u32 {
        match decision {
            CallDecision::Allowed => libc::SECCOMP_RET_ALLOW,
            CallDecision::AllowedIf(conditions) if conditions.iter().all(|one| one.holds(arguments)) => {
                libc::SECCOMP_RET_ALLOW
            }
            CallDecision::AllowedIf(_) | CallDecision::Refused => libc::SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned(),
            CallDecision::Unknown => libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned(),
            CallDecision::Unfit => libc::SECCOMP_RET_ERRNO | libc::EINVAL.cast_unsigned(),
            CallDecision::Unsupported => libc::SECCOMP_RET_ERRNO | libc::EOPNOTSUPP.cast_unsigned(),
            CallDecision::Deadly => libc::SECCOMP_RET_KILL_PROCESS,
        }
    }

    fn conditions() -> impl Strategy<Value = Condition> {
        let values = || prop::collection::vec(0_u32..8, 1..20);
        let test = prop_oneof![values().prop_map(ArgumentTest::OneOf), values().prop_map(ArgumentTest::NoneOf),];
        let mask = prop_oneof![Just(u32::MAX), 0_u32..8];
        (0_u8..6, mask, test).prop_map(|(argument, mask, test)| Condition { argument, mask, test })
    }

    fn decisions() -> impl Strategy<Value = CallDecision> {
        prop_oneof![
            Just(CallDecision::Allowed),
            Just(CallDecision::Refused),
            Just(CallDecision::Unknown),
            Just(CallDecision::Deadly),
            prop::collection::vec(conditions(), 1..4).prop_map(CallDecision::AllowedIf),
        ]
    }

    proptest! {
        /// Tables of up to 1,500 instructions, so that many jumps are too long for one.
        #[test]
        fn a_program_decides_as_its_table_says(
            first in decisions(),
            others in prop::collection::btree_map(1_u32..300, decisions(), 0..120),
            calls in prop::collection::vec((0_u32..301, prop::array::uniform6(0_u64..9)), 40),
            high in prop::bool::ANY,
        ) {
            let ranges: Vec<_> = std::iter::once((0, first)).chain(others).collect();
            let program = compile(&ranges, OWN);
            prop_assert!(program.len() < 4096, "{} instructions", program.len());
            for (number, arguments) in calls {
                let arguments = arguments.map(|argument| argument | u64::from(high) << 32);
                let (_, decision) = ranges.iter().rfind(|(start, _)| *start <= number).unwrap();
                prop_assert_eq!(run(&program, OWN, number, arguments), expected(decision, arguments));
                prop_assert_eq!(run(&program, OWN + 1, number, arguments), libc::SECCOMP_RET_KILL_PROCESS);
            }
        }
    }
}
