//! Policy for isolation measures that this system lacks.

use std::sync::{Arc, OnceLock};

use judge_sandbox::worker::{Wall, WorkerError};

/// The policy for incomplete isolation, and the missing measures.
#[derive(Debug, Clone, Default)]
pub struct Isolation {
    required: bool,
    missing: Arc<OnceLock<Vec<Wall>>>,
}

impl Isolation {
    /// Plays nothing if a measure is missing.
    pub fn required() -> Isolation {
        Isolation { required: true, ..Isolation::default() }
    }

    /// True if nothing is played while a measure is missing.
    pub fn is_required(&self) -> bool {
        self.required
    }

    /// Missing measures; none before the first worker has started.
    pub fn missing(&self) -> &[Wall] {
        self.missing.get().map_or(&[], Vec::as_slice)
    }

    /// Notes the missing measures of a worker that has seen no module yet.
    ///
    /// # Errors
    /// When the policy requires full isolation and a measure is missing.
    pub(crate) fn check(&self, walls: &[Wall]) -> Result<(), WorkerError> {
        let missing: Vec<Wall> =
            walls.iter().filter(|wall| wall.missing.is_some()).cloned().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let reason = format!("full isolation is required, but {}", list(&missing));
        // The warning shows the first result; each worker is checked by its own.
        let _ = self.missing.set(missing);
        if self.required { Err(WorkerError::Failed(reason)) } else { Ok(()) }
    }
}

/// Missing measures with their reasons, in one line.
fn list(missing: &[Wall]) -> String {
    let reason = |wall: &Wall| {
        format!("`{}` is missing ({})", wall.name, wall.missing.as_deref().unwrap_or_default())
    };
    missing.iter().map(reason).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(name: &str, missing: Option<&str>) -> Wall {
        Wall { name: name.to_owned(), missing: missing.map(str::to_owned) }
    }

    #[test]
    fn missing_walls_are_noted_or_refused() {
        let walls = [wall("moat", None), wall("gate", Some("no hinges"))];
        let lenient = Isolation::default();
        assert!(lenient.missing().is_empty());
        assert!(lenient.check(&walls).is_ok());
        assert_eq!(lenient.missing(), &walls[1..]);
        let error = Isolation::required().check(&walls).expect_err("a wall is missing");
        assert_eq!(
            error.to_string(),
            "the worker process failed: full isolation is required, but `gate` is missing (no hinges)"
        );
        let strict = Isolation::required();
        assert!(strict.check(&walls[..1]).is_ok());
        assert!(strict.check(&walls).is_err(), "each worker is looked at");
    }
}
