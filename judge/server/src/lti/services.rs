//! Requests to a platform's services: the list of members, and marks for the gradebook.

use axum::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, LINK};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use judge_core::{Points, printable};
use judge_store::{Role, Timestamp, has_one_form};
use openidconnect::url::{Url, form_urlencoded};
use serde::Deserialize;
use serde_json::{Value, json};

use super::claims::role;
use super::launch::{SCORES, text};
use super::{Lti, ToolKey};
use crate::config::LtiPlatform;
use crate::sign_on::SignOnError;

const MEMBERS: &str = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly";
const MEMBERS_TYPE: &str = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json";
const SCORE_TYPE: &str = "application/vnd.ims.lis.v1.score+json";

/// Members on a page of the list.
const PAGE: &str = "200";

/// Most pages of a list.
const PAGES: usize = 100;

/// A member of a platform's course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlatformMember {
    /// The person's id at the platform.
    pub subject: String,
    /// The person's name, if the platform gives it.
    pub name: Option<String>,
    /// E-mail address, if the platform gives it.
    pub address: Option<String>,
    /// Number at the school, if the platform gives it.
    pub number: Option<String>,
    /// The role here of a newcomer.
    pub role: Role,
}

#[derive(Deserialize)]
struct MemberPage {
    #[serde(default)]
    members: Vec<ListedMember>,
}

#[derive(Deserialize)]
struct ListedMember {
    user_id: String,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    roles: Vec<String>,
    name: Option<String>,
    given_name: Option<String>,
    family_name: Option<String>,
    email: Option<String>,
    lis_person_sourcedid: Option<String>,
}

/// A mark for the gradebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    /// The person's id at the platform.
    pub subject: String,
    /// Points.
    pub points: Points,
    /// Points on offer.
    pub most: Points,
    /// A sentence for the student.
    pub comment: String,
}

/// An access token of a platform.
#[derive(Debug, Clone)]
pub struct AccessToken(String);

fn unexpected(what: &str, told: impl std::fmt::Display) -> SignOnError {
    SignOnError::Unbelievable(format!("{what}: {told}"))
}

impl Lti {
    /// A token that allows to send marks. Blocks.
    ///
    /// # Errors
    /// When the platform does not answer, or refuses.
    pub fn score_token(
        &self,
        platform: &LtiPlatform,
        key: &ToolKey,
    ) -> Result<AccessToken, SignOnError> {
        self.token(platform, key, SCORES)
    }

    fn token(
        &self,
        platform: &LtiPlatform,
        key: &ToolKey,
        scope: &str,
    ) -> Result<AccessToken, SignOnError> {
        #[derive(Deserialize)]
        struct Granted {
            access_token: String,
        }
        let now = Timestamp::now().millis() / 1000;
        let assertion = key.assertion(&platform.client_id, &platform.token_url, now);
        let assertion = assertion.map_err(|error| unexpected("no signature", error))?;
        let kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "client_credentials")
            .append_pair("client_assertion_type", kind)
            .append_pair("client_assertion", &assertion)
            .append_pair("scope", scope)
            .finish();
        let request = Request::post(&platform.token_url)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ACCEPT, "application/json");
        let (_, body) = self.asked(request, form.into_bytes(), "no access token")?;
        let granted: Granted =
            serde_json::from_slice(&body).map_err(|error| unexpected("no access token", error))?;
        if !granted.access_token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(unexpected("no access token", "it has other characters"));
        }
        Ok(AccessToken(granted.access_token))
    }

    /// The members of a platform's course, without people who have left it. Blocks.
    ///
    /// # Errors
    /// When the platform does not answer, refuses, or its list is not as expected.
    pub fn members(
        &self,
        platform: &LtiPlatform,
        key: &ToolKey,
        address: &str,
    ) -> Result<Vec<PlatformMember>, SignOnError> {
        let AccessToken(token) = self.token(platform, key, MEMBERS)?;
        let first = Url::parse(address).map_err(|error| unexpected("the list", error))?;
        let mut next = Some(first);
        if let Some(url) = &mut next {
            url.query_pairs_mut().append_pair("limit", PAGE);
        }
        let mut members = Vec::new();
        for _ in 0..PAGES {
            let Some(url) = next else { return Ok(members) };
            if !platform.may_ask(url.as_str()) {
                return Err(unexpected("the list leads to an address that the settings lack", url));
            }
            let request = Request::builder().method(Method::GET).uri(url.as_str());
            let request = request
                .header(ACCEPT, MEMBERS_TYPE)
                .header(AUTHORIZATION, format!("Bearer {token}"));
            let (headers, body) = self.asked(request, Vec::new(), "no list of members")?;
            let page: MemberPage = serde_json::from_slice(&body)
                .map_err(|error| unexpected("no list of members", error))?;
            members.extend(page.members.into_iter().filter_map(member));
            next = next_page(&headers, &url);
        }
        Err(unexpected("the list", "it has too many pages"))
    }

    /// Sends a mark to a column of the gradebook. Blocks.
    ///
    /// # Errors
    /// When the platform does not answer, or refuses.
    pub fn send(
        &self,
        AccessToken(token): &AccessToken,
        line_item: &str,
        score: &Score,
    ) -> Result<(), SignOnError> {
        let mut url = Url::parse(line_item).map_err(|error| unexpected("the column", error))?;
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push("scores");
        }
        let body = json!({
            "userId": score.subject,
            "scoreGiven": number(score.points)?,
            "scoreMaximum": number(score.most)?,
            "comment": score.comment,
            "timestamp": Timestamp::now().to_string(),
            "activityProgress": "Completed",
            "gradingProgress": "FullyGraded",
        });
        let request = Request::post(url.as_str())
            .header(CONTENT_TYPE, SCORE_TYPE)
            .header(AUTHORIZATION, format!("Bearer {token}"));
        self.asked(request, body.to_string().into_bytes(), "the mark was not accepted")?;
        Ok(())
    }

    /// Sends a request; an answer without success is an error.
    fn asked(
        &self,
        request: axum::http::request::Builder,
        body: Vec<u8>,
        what: &str,
    ) -> Result<(HeaderMap, Vec<u8>), SignOnError> {
        let request = request.body(body).map_err(|error| unexpected(what, error))?;
        let answer = self.outside.ask(request);
        let answer = answer.map_err(|error| SignOnError::Unreachable(error.to_string()))?;
        let (parts, body) = answer.into_parts();
        if parts.status.is_success() {
            return Ok((parts.headers, body));
        }
        let text = printable(&String::from_utf8_lossy(&body), 300);
        let told = format!("{what}: status {}: {text}", parts.status.as_u16());
        match parts.status {
            StatusCode::TOO_MANY_REQUESTS => Err(SignOnError::Unreachable(told)),
            status if status.is_server_error() => Err(SignOnError::Unreachable(told)),
            _ => Err(SignOnError::Code(told)),
        }
    }
}

/// Points as a decimal number of JSON.
fn number(points: Points) -> Result<Value, SignOnError> {
    serde_json::from_str(&points.to_string()).map_err(|error| unexpected("the points", error))
}

/// A member in the course; none if they have left it.
fn member(listed: ListedMember) -> Option<PlatformMember> {
    let is_active = listed.status.as_deref().is_none_or(|status| status.ends_with("Active"));
    let subject = listed.user_id;
    let is_usable = !subject.trim().is_empty() && !subject.chars().any(char::is_control);
    let both = [text(listed.given_name.as_ref()), text(listed.family_name.as_ref())];
    let both = both.into_iter().flatten().collect::<Vec<_>>().join(" ");
    (is_active && is_usable).then(|| PlatformMember {
        subject,
        name: text(listed.name.as_ref()).or_else(|| text(Some(&both))),
        address: text(listed.email.as_ref()).filter(|address| has_one_form(address)),
        number: text(listed.lis_person_sourcedid.as_ref()),
        role: role(&listed.roles),
    })
}

/// The address of the next page in the header `Link`, as in `<https://…>; rel="next"`.
fn next_page(headers: &HeaderMap, here: &Url) -> Option<Url> {
    let texts = headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok());
    let mut links = texts.flat_map(|text| text.split(",<").flat_map(|one| one.split(", <")));
    let next = links.find(|link| {
        let mut rest = link.split(';').skip(1).map(str::trim);
        rest.any(|part| part == "rel=\"next\"" || part == "rel=next")
    })?;
    let (address, _) = next.split_once('>')?;
    here.join(address.trim().trim_start_matches('<')).ok()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_next_page_is_found_among_other_links() {
        let here = Url::parse("https://moodle.example/list?limit=2").expect("an address");
        let next = |text: &'static str| {
            let headers = HeaderMap::from_iter([(LINK, HeaderValue::from_static(text))]);
            next_page(&headers, &here).map(String::from)
        };
        let wanted = Some("https://moodle.example/list?page=2&x=a,b".to_owned());
        assert_eq!(next("<https://moodle.example/list?page=2&x=a,b>; rel=\"next\""), wanted);
        let both = "<https://moodle.example/list?page=9>; rel=\"differences\", \
                    </list?page=2&x=a,b>; rel=next";
        assert_eq!(next(both), wanted);
        for none in ["", "<https://moodle.example/>; rel=\"prev\"", "x; rel=\"next\""] {
            assert_eq!(next(none), None, "{none}");
        }
    }
}
