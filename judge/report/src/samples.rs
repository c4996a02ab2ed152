//! Results for tests.
