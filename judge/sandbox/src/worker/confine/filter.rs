//! The system calls that a worker still needs: talk over its three pipes, manage its own memory
//! and threads' locks, end. Everything else fails with "not permitted".

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// Allowed with any arguments.
const ANYHOW: &[libc::c_long] = &[
    // Memory. The compiler's output must become executable, so protections are not looked at.
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_membarrier,
    // Locks, and the signals that traps of guests come as.
    libc::SYS_futex,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    // What the judge itself measures by, and what its hash maps are seeded with.
    libc::SYS_clock_gettime,
    libc::SYS_getrandom,
    // Naming itself, and ending, also by abort.
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_tgkill,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Allowed on these descriptors only, so that one left open by whoever started the judge is of no
/// use.
const ON_PIPES: &[(libc::c_long, &[u64])] =
    &[(libc::SYS_read, &[0]), (libc::SYS_write, &[1, 2]), (libc::SYS_writev, &[1, 2])];

/// Installs the filter for all threads of the process, for good.
pub(super) fn install() -> Result<(), String> {
    let program = program().map_err(|error| error.to_string())?;
    seccompiler::apply_filter_all_threads(&program).map_err(|error| error.to_string())
}

fn program() -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ANYHOW.iter().map(|call| (*call, Vec::new())).collect();
    for (call, descriptors) in ON_PIPES {
        let on = |descriptor: &u64| SeccompRule::new(vec![first_argument_is(*descriptor)?]);
        rules.insert(*call, descriptors.iter().map(on).collect::<Result<_, _>>()?);
    }
    let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let target = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, refuse, SeccompAction::Allow, target)?.try_into()
}

fn first_argument_is(value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}
