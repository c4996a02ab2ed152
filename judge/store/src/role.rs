//! Roles in a course.

use crate::row::words;

words! {
    /// Role of a member of a course.
    Role {
        /// Submits and is on the scoreboard.
        Student = "student",
        /// Can see everything, and submits without limits.
        Assistant = "assistant",
        /// Changes everything.
        Instructor = "instructor",
        /// Sees the same as students, and submits nothing.
        Observer = "observer",
    }
}

impl Role {
    /// True for assistants and instructors, who see all submissions.
    pub fn is_staff(self) -> bool {
        matches!(self, Role::Assistant | Role::Instructor)
    }

    /// The one of two roles with more rights.
    #[must_use]
    pub fn or_more(self, other: Role) -> Role {
        if other.rank() > self.rank() { other } else { self }
    }

    /// Its position among the roles: the more rights, the higher.
    pub(crate) fn rank(self) -> i64 {
        match self {
            Role::Observer => 0,
            Role::Student => 1,
            Role::Assistant => 2,
            Role::Instructor => 3,
        }
    }
}
