//! Seccomp: the system calls that compilers need. All others fail as if the kernel lacked them, so
//! that the build reaches no socket, no other namespace and no other process.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};

/// Allowed with any arguments on every processor; Landlock decides about files.
const ANYHOW: &[libc::c_long] = &[
    // Files.
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_ftruncate,
    libc::SYS_fadvise64,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_flock,
    libc::SYS_umask,
    libc::SYS_copy_file_range,
    libc::SYS_sendfile,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    // Succeed without effect; see `PRETENDED`.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    // Waiting.
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_delete,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_setitimer,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    // Memory.
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free,
    libc::SYS_pkey_mprotect,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_mincore,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_membarrier,
    // Threads and child processes.
    libc::SYS_execve,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_set_tid_address,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    // Information about itself and the machine.
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_capget,
    libc::SYS_getrlimit,
    libc::SYS_getrusage,
    libc::SYS_getpriority,
    libc::SYS_getcpu,
    libc::SYS_getrandom,
    libc::SYS_uname,
    libc::SYS_sysinfo,
];

/// Older variants, and calls of a single architecture.
#[cfg(target_arch = "x86_64")]
const OF_THE_PROCESSOR: &[libc::c_long] = &[
    libc::SYS_creat,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_chmod,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_time,
    libc::SYS_vfork,
    libc::SYS_fork,
    libc::SYS_getpgrp,
    libc::SYS_arch_prctl,
];
#[cfg(not(target_arch = "x86_64"))]
const OF_THE_PROCESSOR: &[libc::c_long] = &[];

/// Allowed if the argument of this index has one of these values: thread names, checks for a
/// terminal, limits of this process, and similar calls.
const IF: &[(libc::c_long, u8, &[u64])] = &[
    (libc::SYS_prctl, 0, &[PR_SET_NAME, PR_GET_NAME, PR_CAPBSET_READ, PR_SET_VMA]),
    (libc::SYS_ioctl, 1, &[TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX]),
    (libc::SYS_prlimit64, 0, &[0]),
    // Copies and flags of descriptors, locks, pipe sizes: nothing that signals another process.
    (libc::SYS_fcntl, 1, &[0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1031, 1032]),
    // No space beyond the file's length, which is what the size limit counts.
    (libc::SYS_fallocate, 1, &[0]),
];
const PR_SET_NAME: u64 = 15;
const PR_GET_NAME: u64 = 16;
const PR_CAPBSET_READ: u64 = 23;
const PR_SET_VMA: u64 = 0x5356_4d41;
const TCGETS: u64 = 0x5401;
const TIOCGWINSZ: u64 = 0x5413;
const FIONREAD: u64 = 0x541b;
const FIONBIO: u64 = 0x5421;
const FIONCLEX: u64 = 0x5450;
const FIOCLEX: u64 = 0x5451;

/// Calls that open files, and the positions of their flags.
const OPENING: &[(libc::c_long, u8)] = &[
    (libc::SYS_openat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1),
];
const O_TRUNC: u64 = libc::O_TRUNC.unsigned_abs() as u64;
const O_ACCMODE: u64 = libc::O_ACCMODE.unsigned_abs() as u64;
const O_WRONLY: u64 = libc::O_WRONLY.unsigned_abs() as u64;
const O_RDWR: u64 = libc::O_RDWR.unsigned_abs() as u64;

/// Flags that would move a new process out of the current namespaces.
const NAMESPACES: u64 = 0x7e02_0000;

/// Answered with success, but not executed: compilers set the permissions and times of their
/// output, and Landlock cannot limit these calls to it.
const PRETENDED: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
];

/// Installs the filters permanently for this thread and its children.
pub(super) fn install() -> Result<(), String> {
    for program in [pretending(), allowing()] {
        let program = program.map_err(|error| error.to_string())?;
        seccompiler::apply_filter(&program).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn pretending() -> Result<BpfProgram, BackendError> {
    let rules = PRETENDED.iter().map(|call| (*call, Vec::new())).collect();
    let target = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(0), target)?.try_into()
}

fn allowing() -> Result<BpfProgram, BackendError> {
    let anyhow = ANYHOW.iter().chain(OF_THE_PROCESSOR);
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        anyhow.map(|call| (*call, Vec::new())).collect();
    for (call, argument, values) in IF {
        let rule = |value: &u64| one(*argument, SeccompCmpOp::Eq, *value);
        rules.insert(*call, values.iter().map(rule).collect::<Result<_, _>>()?);
    }
    for (call, argument) in OPENING {
        // Before its third version, Landlock allows truncating a file that is opened for reading.
        let rules_of_call = [
            one(*argument, SeccompCmpOp::MaskedEq(O_TRUNC), 0)?,
            one(*argument, SeccompCmpOp::MaskedEq(O_ACCMODE), O_WRONLY)?,
            one(*argument, SeccompCmpOp::MaskedEq(O_ACCMODE), O_RDWR)?,
        ];
        rules.insert(*call, rules_of_call.into());
    }
    let inside = one(0, SeccompCmpOp::MaskedEq(NAMESPACES), 0)?;
    rules.insert(libc::SYS_clone, vec![inside]);
    // The flags of its newer form are in memory, which filters cannot see: libraries fall back.
    let refuse = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let target = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, refuse, SeccompAction::Allow, target)?.try_into()
}

fn one(argument: u8, is: SeccompCmpOp, value: u64) -> Result<SeccompRule, BackendError> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, is, value)?;
    SeccompRule::new(vec![condition])
}
