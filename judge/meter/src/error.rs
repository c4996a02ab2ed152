//! Reasons why a module cannot be rewritten.

/// An error of rewriting a module.
#[derive(Debug, thiserror::Error)]
pub enum MeterError {
    /// It is not valid, or uses a feature that is off.
    #[error("not a valid module for the judge: {0}")]
    Invalid(#[from] wasmparser::BinaryReaderError),
    /// It exports a name that the host reads.
    #[error("the export `{0}` has a reserved name\nhint: rename it in the bot's source")]
    Reserved(String),
    /// Its memory, table or global belongs to the host, which the rewritten module cannot limit.
    #[error("the import `{module}.{name}` is not a function")]
    Import {
        /// The import's module.
        module: String,
        /// The import's name.
        name: String,
    },
    /// A function's type that the encoder does not know.
    #[error("cannot encode the types of functions")]
    Types,
    /// A local's type that the encoder does not know.
    #[error("cannot encode the locals of function {0}")]
    Locals(u32),
}
