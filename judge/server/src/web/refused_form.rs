//! Refused forms. The page is shown again, with the typed text and with the reason at the form.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{RequestFailure, Viewer, shown_as};

/// The fields of a form, by their names.
pub type Fields = BTreeMap<String, String>;

/// Parses a form from its fields.
///
/// # Errors
/// When a field is missing.
pub fn filled<T: DeserializeOwned>(fields: &Fields) -> Result<T, RequestFailure> {
    let texts = fields.iter().map(|(name, text)| (name.clone(), Value::from(text.as_str())));
    let read = serde_json::from_value(Value::Object(texts.collect()));
    read.map_err(|_| RequestFailure::Bad("error.bad_request"))
}

/// The typed text of a refused form, and the reason. Empty if no form was refused.
#[derive(Debug, Default)]
pub struct Typed(Option<RefusedForm>);

#[derive(Debug)]
struct RefusedForm {
    form: &'static str,
    fields: Fields,
    status: StatusCode,
    why: String,
}

impl Typed {
    /// The typed text of a form, if the user can correct the failure.
    ///
    /// # Errors
    /// With all other failures.
    pub fn read(
        failure: RequestFailure,
        form: &'static str,
        fields: Fields,
        viewer: &Viewer,
    ) -> Result<Typed, RequestFailure> {
        let (RequestFailure::Bad(_) | RequestFailure::Refused(..)) = &failure else {
            return Err(failure);
        };
        // No other text would help, and the pages of an archived course have no forms.
        if failure == RequestFailure::archived() {
            return Err(failure);
        }
        let (status, why) = (failure.status(), failure.text(viewer.language));
        Ok(Typed(Some(RefusedForm { form, fields, status, why })))
    }

    fn at(&self, form: &str) -> Option<&RefusedForm> {
        self.0.as_ref().filter(|refused| refused.form == form)
    }

    /// The reason why this form was refused.
    pub fn problem(&self, form: &str) -> Option<&str> {
        self.at(form).map(|refused| refused.why.as_str())
    }

    /// The content of a field: the typed text, or `usual`.
    pub fn or<'a>(&'a self, form: &str, name: &str, usual: &'a str) -> &'a str {
        let typed = self.at(form).and_then(|refused| refused.fields.get(name));
        typed.map_or(usual, String::as_str)
    }

    /// True if `choice` was made, or is the usual one and no form was refused.
    pub fn chose(&self, form: &str, name: &str, choice: &str, is_usual: impl Borrow<bool>) -> bool {
        let typed = self.at(form).and_then(|refused| refused.fields.get(name));
        typed.map_or(*is_usual.borrow(), |typed| typed == choice)
    }

    /// The page as a response, with the status of the refusal if there was one.
    ///
    /// # Errors
    /// When the page cannot be written.
    pub fn shown(&self, page: &impl Template) -> Result<Response, RequestFailure> {
        let status = self.0.as_ref().map_or(StatusCode::OK, |refused| refused.status);
        shown_as(status, page)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct TypedForm {
        slug: String,
        #[serde(default)]
        due: Option<String>,
    }

    fn fields(texts: &[(&str, &str)]) -> Fields {
        let text = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        texts.iter().map(text).collect()
    }

    #[test]
    fn a_refused_form_is_found_by_its_fields() {
        let read: TypedForm = filled(&fields(&[("slug", "1"), ("other", "x")])).expect("a form");
        assert_eq!(read, TypedForm { slug: "1".to_owned(), due: None });
        assert!(filled::<TypedForm>(&fields(&[("due", "x")])).is_err());
    }

    #[test]
    fn typed_values_return_only_to_their_form() {
        let (status, why) = (StatusCode::CONFLICT, "taken".to_owned());
        let refused = RefusedForm { form: "suite", fields: fields(&[("slug", "")]), status, why };
        let typed = Typed(Some(refused));
        assert_eq!((typed.or("suite", "slug", "usual"), typed.or("arena", "slug", "x")), ("", "x"));
        assert!(
            !typed.chose("suite", "slug", "usual", true) && typed.chose("arena", "slug", "a", true)
        );
        assert_eq!((typed.problem("suite"), typed.problem("arena")), (Some("taken"), None));
        assert_eq!(Typed::default().or("suite", "slug", "usual"), "usual");
    }
}
