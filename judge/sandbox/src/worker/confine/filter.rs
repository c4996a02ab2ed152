//! Filter of the system calls that a worker still needs: use its three pipes, manage its own memory
//! and thread locks, end. All others fail with "not permitted".

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// Allowed with any arguments.
const ANYHOW: &[libc::c_long] = &[
    // Memory. Compiled code must become executable, so the filter does not check protections.
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_membarrier,
    // Locks, and the signals of traps in guests.
    libc::SYS_futex,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    // For the judge's own measurements, and the seeds of its hash maps.
    libc::SYS_clock_gettime,
    libc::SYS_getrandom,
    // Naming itself, and ending, including by abort.
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Descriptor of a mapping without a file: -1.
const NO_FILE: u64 = 0xffff_ffff;

/// Allowed if the argument of this index has one of these values. So an inherited descriptor can be
/// neither read nor mapped.
const IF: &[(libc::c_long, u8, &[u64])] = &[
    (libc::SYS_read, 0, &[0]),
    (libc::SYS_write, 0, &[1, 2]),
    (libc::SYS_writev, 0, &[1, 2]),
    (libc::SYS_mmap, 4, &[NO_FILE]),
];

/// Installs the filter permanently for all threads of the process.
pub(super) fn install() -> Result<(), String> {
    let program = program().map_err(|error| error.to_string())?;
    seccompiler::apply_filter_all_threads(&program).map_err(|error| error.to_string())
}

fn program() -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ANYHOW.iter().map(|call| (*call, Vec::new())).collect();
    for (call, argument, values) in IF {
        let rule = |value: &u64| SeccompRule::new(vec![argument_is(*argument, *value)?]);
        rules.insert(*call, values.iter().map(rule).collect::<Result<_, _>>()?);
    }
    // Signals for ending by abort: only that one, and only to itself.
    let own = argument_is(0, u64::from(std::process::id()))?;
    let abort = argument_is(2, u64::from(libc::SIGABRT.unsigned_abs()))?;
    rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![own, abort])?]);
    let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let target = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, refuse, SeccompAction::Allow, target)?.try_into()
}

fn argument_is(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}
