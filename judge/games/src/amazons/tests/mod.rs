//! Tests of more than one file.
