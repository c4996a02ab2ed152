//! Typed facts of a run besides its rounds: a store keeps names and JSON, everything else uses
//! facts.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::store::{RoundStore, StoreError};

/// A fact that a run stores besides its rounds.
pub trait Fact: Serialize + DeserializeOwned {
    /// The key that distinguishes several facts of this type; `()` where a run has one.
    type About: ?Sized;

    /// The name that it is kept under. It is part of the journal's format.
    fn name(about: &Self::About) -> String;
}

/// A fact that cannot be used.
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
    /// It is not what this judge writes.
    #[error("`{store}`: the fact `{name}` cannot be read: {source}")]
    Unreadable {
        /// The name of the store.
        store: String,
        /// The fact's name.
        name: String,
        /// Why.
        source: serde_json::Error,
    },
}

impl dyn RoundStore + '_ {
    /// Keeps a fact.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn keep<F: Fact>(&self, about: &F::About, fact: &F) -> Result<(), StoreError> {
        let value = serde_json::to_value(fact).expect("facts hold nothing that JSON cannot");
        self.note(&F::name(about), &value)
    }

    /// The fact of that type and name; none if there is none, or one that this judge cannot read.
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
    pub fn read(store: &dyn RoundStore) -> Result<Facts, StoreError> {
        Ok(Facts::new(store.name(), store.facts()?))
    }

    /// These facts, of a store that is called so.
    pub(crate) fn new(store: String, facts: Vec<(String, Value)>) -> Facts {
        Facts { store, values: facts.into_iter().collect() }
    }

    /// Their names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// The fact of that type and name, if there is one.
    ///
    /// # Errors
    /// When it is not what this judge writes.
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

    /// The same of a fact that must be there.
    ///
    /// # Errors
    /// When it is not, or is not what this judge writes.
    pub fn need<F: Fact>(&self, about: &F::About) -> Result<F, FactError> {
        let missing = || FactError::Missing { store: self.store.clone(), name: F::name(about) };
        self.get(about)?.ok_or_else(missing)
    }
}
