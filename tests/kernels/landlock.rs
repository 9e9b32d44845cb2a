//! An older version of Landlock than the kernel has: a filter stops whoever asks for the version, and a thread outside
//! it answers. Whoever believes the answer makes rules of that version, which the kernel keeps as an older one would.
#![expect(unsafe_code, reason = "listeners of filters have no safe wrapper")]

use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};

use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

const LOAD_WORD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const RETURN: u16 = 0x06;

/// The places of the number and of the third argument's lower half in a filter's input.
const NUMBER: u32 = 0;
const FLAGS: u32 = 32;

/// `LANDLOCK_CREATE_RULESET_VERSION`.
const VERSION: u32 = 1;

/// Applies the filter to this thread, which has given up new privileges or is root's, and returns where it is asked.
pub(super) fn ask_for_the_version() -> io::Result<OwnedFd> {
    let put = |code, k, jf| libc::sock_filter { code, jt: 0, jf, k };
    let call = u32::try_from(libc::SYS_landlock_create_ruleset).expect("it is small");
    let program = [
        put(LOAD_WORD, NUMBER, 0),
        put(JUMP_IF_EQUAL, call, 3),
        put(LOAD_WORD, FLAGS, 0),
        put(JUMP_IF_EQUAL, VERSION, 1),
        put(RETURN, libc::SECCOMP_RET_USER_NOTIF, 0),
        put(RETURN, libc::SECCOMP_RET_ALLOW, 0),
    ];
    let program = libc::sock_fprog {
        len: u16::try_from(program.len()).expect("it is short"),
        filter: program.as_ptr().cast_mut(),
    };
    nix::sys::prctl::set_no_new_privs()?;
    let (mode, flags) = (libc::SECCOMP_SET_MODE_FILTER, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER);
    // SAFETY: the program is live and has the length that is stated; the kernel only reads it, during the call.
    let listener = unsafe { libc::syscall(libc::SYS_seccomp, mode, flags, &raw const program) };
    match i32::try_from(listener) {
        // SAFETY: the kernel has just made this descriptor for this call alone.
        Ok(listener @ 0..) => Ok(unsafe { OwnedFd::from_raw_fd(listener) }),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Answers everybody who asks with `version`, until it is over.
pub(super) fn answer(questions: &OwnedFd, version: u32, is_over: impl Fn() -> bool) {
    while !is_over() {
        let mut waited_for = [PollFd::new(questions.as_fd(), PollFlags::POLLIN)];
        let found = poll(&mut waited_for, PollTimeout::from(20_u8));
        if found == Ok(1) && waited_for[0].revents().is_some_and(|events| events.contains(PollFlags::POLLIN)) {
            answer_one(questions, version);
        }
    }
}

fn answer_one(questions: &OwnedFd, version: u32) {
    // SAFETY: these are plain numbers, for which zero is a value.
    let mut question: libc::seccomp_notif = unsafe { std::mem::zeroed() };
    // SAFETY: the descriptor is open, and the kernel writes no more than this structure.
    let read = unsafe { libc::ioctl(questions.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut question) };
    if read != 0 {
        // Who asked has died since.
        return;
    }
    let answer = libc::seccomp_notif_resp { id: question.id, val: version.into(), error: 0, flags: 0 };
    // SAFETY: the descriptor is open, and the kernel only reads this structure. Nobody may be waiting any more.
    unsafe { libc::ioctl(questions.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) };
}
