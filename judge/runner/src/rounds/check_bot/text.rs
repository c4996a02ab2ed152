//! The result of an inspection as text.

use judge_core::printable;
use judge_report::{fuel_as_ms, kib};

use super::{CheckRound, Outcome, ScriptFile};

impl Outcome {
    /// Formats the result, one line per property; problems and their remedies come first.
    pub fn to_text(&self) -> String {
        let verdict = match (self.accepted, self.starts()) {
            (true, true) => "accepted",
            (true, false) => "accepted, but it fails before it reads its first line",
            (false, _) => "refused",
        };
        let mut lines = vec![format!("{}: {verdict}", self.file)];
        for problem in self.problems.iter().chain(&self.fails_at_start) {
            lines.push(format!("  problem: {}", problem.what));
            lines.push(format!("  remedy:  {}", problem.remedy));
        }
        let rows = self.rows().into_iter().filter(|(_, value)| !value.is_empty());
        lines.extend(rows.map(|(name, value)| format!(" {name:10} {value}")));
        // Names and reasons are untrusted.
        lines.iter().map(|line| printable(line, usize::MAX) + "\n").collect()
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        vec![
            ("transport", self.transport_text()),
            ("made by", self.made_by()),
            ("script", self.script_text()),
            ("says", self.says_text()),
            ("size", share(self.bytes, self.most_bytes, &kib(self.bytes), &kib(self.most_bytes))),
            ("memory", self.memory_text()),
            ("imports", or_none(&self.imports)),
            ("exports", or_none(&self.exports)),
            ("starts by", self.start.join(", ")),
            ("features", self.features.join(", ")),
            ("extras", self.extras_text()),
            ("closest", self.limits_text()),
            ("round", self.round_text()),
        ]
    }

    fn transport_text(&self) -> String {
        match self.transport {
            Some("exports") => "exports: the judge calls `judge_line`",
            Some(_) => "stdio: a program that reads and prints lines",
            None => "none: neither `judge_line` nor `_start` is exported",
        }
        .to_owned()
    }

    fn made_by(&self) -> String {
        match self.toolchain.title() {
            Some(title) if self.producers.is_empty() => title.to_owned(),
            _ => self.producers.join(", "),
        }
    }

    fn script_text(&self) -> String {
        let Some(script) = &self.script else { return String::new() };
        let ScriptFile { language, interpreter, file, bytes, sha256 } = script;
        format!("`{file}` in {language}, {bytes} bytes, SHA-256 {sha256}; runs in {interpreter}")
    }

    fn says_text(&self) -> String {
        let says = &self.says;
        let part = |what: &str, value: &Option<String>| {
            value.as_ref().map(|value| format!("{what} {value}"))
        };
        let games = (!says.games.is_empty()).then(|| format!("plays {}", says.games.join(", ")));
        let parts =
            [part("name", &says.name), part("by", &says.author), games, part("kit", &says.kit)];
        let said: Vec<String> = parts.into_iter().flatten().collect();
        if said.is_empty() {
            return "nothing; name its game with `--game`".to_owned();
        }
        said.join(", ")
    }

    fn memory_text(&self) -> String {
        let memory = &self.memory;
        let start = share(memory.at_start, memory.limit, &kib(memory.at_start), &kib(memory.limit));
        match memory.declared_most {
            Some(most) => format!("{start} at the start; grows to {} at most", kib(most)),
            None => format!("{start} at the start; no declared maximum"),
        }
    }

    fn extras_text(&self) -> String {
        let extras = self.extras.iter().map(|(name, bytes)| format!("{name} {}", kib(*bytes)));
        extras.collect::<Vec<_>>().join(", ")
    }

    fn limits_text(&self) -> String {
        let limits = self.limits.iter().filter(|one| one.used > 0);
        let limits = limits.map(|one| {
            let percent = one.used * 100 / one.most.max(1);
            format!("{} of {} {} ({percent} %)", one.used, one.most, one.what)
        });
        limits.collect::<Vec<_>>().join("; ")
    }

    fn round_text(&self) -> String {
        match &self.round {
            Some(round) => self.played_text(round),
            None if !self.starts() => String::new(),
            None => "none: which game does it play? `--game NAME`".to_owned(),
        }
    }

    fn played_text(&self, round: &CheckRound) -> String {
        let fault = round.fault.as_ref().map_or_else(|| "no fault".to_owned(), Clone::clone);
        let fuel = share(
            round.fuel,
            round.most_fuel,
            &fuel_as_ms(round.fuel),
            &fuel_as_ms(round.most_fuel),
        );
        let (peak, limit) = (round.peak_memory_bytes, self.memory.limit);
        let memory = share(peak, limit, &kib(peak), &kib(limit));
        format!(
            "{} against {}, seed {}: {fault}; {fuel}, {memory}",
            round.game, round.against, round.seed
        )
    }
}

/// Formats a use, such as `14 KiB of 4096 KiB (0 %)`.
fn share(used: u64, most: u64, used_text: &str, most_text: &str) -> String {
    format!("{used_text} of {most_text} ({} %)", used.saturating_mul(100) / most.max(1))
}

fn or_none(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
