//! Typed facts of a run in addition to its rounds. A store keeps only names and JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::store::{FactStore, StoreError};

/// A value that a run stores in addition to its rounds.
pub trait Fact: Serialize + DeserializeOwned {
    /// The key that distinguishes several facts of this type; `()` for a single one.
    type About: ?Sized;

    /// The name in the store. It is part of the journal's format.
    fn name(about: &Self::About) -> String;
}

/// A missing or unreadable fact.
#[derive(Debug, thiserror::Error)]
pub enum FactError {
    /// The store does not have it.
    #[error("`{store}` lacks the fact `{name}`")]
    Missing {
        /// The name of the store.
        store: String,
        /// The fact's name.
        name: String,
    },
    /// The fact is not in this judge's format.
    #[error("`{store}`: the fact `{name}` cannot be read: {source}")]
    Unreadable {
        /// The name of the store.
        store: String,
        /// The fact's name.
        name: String,
        /// The parser's error.
        source: serde_json::Error,
    },
}

impl dyn FactStore + '_ {
    /// Stores a fact.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn keep<F: Fact>(&self, about: &F::About, fact: &F) -> Result<(), StoreError> {
        let value = serde_json::to_value(fact).expect("facts hold nothing that JSON cannot");
        self.note(&F::name(about), &value)
    }

    /// The fact of that type and name; none if it is missing or unreadable.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn fact<F: Fact>(&self, about: &F::About) -> Result<Option<F>, StoreError> {
        Ok(Facts::read(self)?.get(about).unwrap_or_default())
    }
}

/// The facts of a store at one moment, for callers that need several.
#[derive(Debug, Clone)]
pub struct Facts {
    store: String,
    values: BTreeMap<String, Value>,
}

impl Facts {
    /// All facts that are in a store.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(store: &dyn FactStore) -> Result<Facts, StoreError> {
        Ok(Facts::new(store.name(), store.facts()?))
    }

    /// The given facts of the store with this name.
    pub(crate) fn new(store: String, facts: Vec<(String, Value)>) -> Facts {
        Facts { store, values: facts.into_iter().collect() }
    }

    /// Their names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// The fact of that type and name; none if it is missing.
    ///
    /// # Errors
    /// When it is not in this judge's format.
    pub fn get<F: Fact>(&self, about: &F::About) -> Result<Option<F>, FactError> {
        let name = F::name(about);
        let Some(value) = self.values.get(&name) else { return Ok(None) };
        let fact = serde_json::from_value(value.clone());
        fact.map(Some).map_err(|source| FactError::Unreadable {
            store: self.store.clone(),
            name,
            source,
        })
    }

    /// The fact of that type and name.
    ///
    /// # Errors
    /// When it is missing, or not in this judge's format.
    pub fn need<F: Fact>(&self, about: &F::About) -> Result<F, FactError> {
        let missing = || FactError::Missing { store: self.store.clone(), name: F::name(about) };
        self.get(about)?.ok_or_else(missing)
    }
}
