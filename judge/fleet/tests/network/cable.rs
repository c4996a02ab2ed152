//! A network namespace, and a cable from it to the rest of the machine.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A cable with a namespace at its far end.
pub(crate) struct Cable {
    namespace: String,
    near: String,
    far: String,
    network: String,
}

impl Cable {
    /// Creates a cable; the error is the reason why that failed.
    pub(crate) fn new() -> Result<Cable, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id();
        let name = format!("j{}{number}", process % 1_000_000);
        // A separate network for each process and test, from the range for private use.
        let network = format!("10.{}.{}", 100 + (process / 256 + number) % 100, process % 256);
        let cable = Cable {
            namespace: format!("{name}-ns"),
            near: format!("{name}-near"),
            far: format!("{name}-far"),
            network,
        };
        cable.lay().map_err(|why| format!("no network namespace can be made here: {why}"))?;
        Ok(cable)
    }

    fn lay(&self) -> Result<(), String> {
        let Cable { namespace, near, far, network } = self;
        ip(&format!("netns add {namespace}"))?;
        ip(&format!("link add {near} type veth peer name {far} netns {namespace}"))?;
        ip(&format!("address add {network}.1/30 dev {near}"))?;
        ip(&format!("link set {near} up"))?;
        ip(&format!("-n {namespace} address add {network}.2/30 dev {far}"))?;
        ip(&format!("-n {namespace} link set {far} up"))
    }

    /// The address of its near end.
    pub(crate) fn address(&self) -> String {
        format!("{}.1", self.network)
    }

    /// The network of its two ends.
    pub(crate) fn network(&self) -> String {
        format!("{}.0/30", self.network)
    }

    /// Pulls it out of the namespace.
    pub(crate) fn cut(&self) {
        ip(&format!("-n {} link set {} down", self.namespace, self.far)).unwrap();
    }

    /// Puts it in again.
    pub(crate) fn mend(&self) {
        ip(&format!("-n {} link set {} up", self.namespace, self.far)).unwrap();
    }

    /// Makes it slow in both directions and lossy, if the kernel supports that.
    pub(crate) fn slow_down(&self) -> Result<(), String> {
        let slow = "root netem delay 100ms loss 5%";
        let (namespace, near, far) = (&self.namespace, &self.near, &self.far);
        let both = call("tc", &format!("qdisc add dev {near} {slow}"))
            .and_then(|()| call("tc", &format!("-n {namespace} qdisc add dev {far} {slow}")));
        both.map_err(|why| format!("the network cannot be slowed by the kernel: {why}"))
    }

    /// A command that runs a program at the far end.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.namespace, program]);
        command
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        let _ = ip(&format!("link delete {}", self.near));
        let _ = ip(&format!("netns delete {}", self.namespace));
    }
}

fn ip(arguments: &str) -> Result<(), String> {
    call("ip", arguments)
}

fn call(program: &str, arguments: &str) -> Result<(), String> {
    let run = Command::new(program).args(arguments.split(' ')).output();
    let run = run.map_err(|error| format!("`{program}`: {error}"))?;
    match run.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&run.stderr).trim().replace('\n', ", ")),
    }
}
