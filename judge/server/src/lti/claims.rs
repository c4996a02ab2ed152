//! The claims of LTI in an ID token: <https://www.imsglobal.org/spec/lti/v1p3>.

use judge_store::Role;
use openidconnect::AdditionalClaims;
use serde::{Deserialize, Serialize};

/// Claims that LTI adds to an ID token.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct LtiClaims {
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/message_type", default)]
    pub(super) message_type: String,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/version", default)]
    pub(super) version: String,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/deployment_id", default)]
    pub(super) deployment: String,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/target_link_uri", default)]
    pub(super) target: String,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/roles", default)]
    pub(super) roles: Vec<String>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/context")]
    pub(super) context: Option<ContextClaim>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti/claim/lis")]
    pub(super) lis: Option<LisClaim>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint")]
    pub(super) endpoint: Option<EndpointClaim>,
    #[serde(rename = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice")]
    pub(super) names: Option<NamesClaim>,
}

impl AdditionalClaims for LtiClaims {}

/// The platform's course.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct ContextClaim {
    #[serde(default)]
    pub(super) id: String,
    pub(super) label: Option<String>,
    pub(super) title: Option<String>,
}

/// Data of the school's administration.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct LisClaim {
    pub(super) person_sourcedid: Option<String>,
}

/// The gradebook.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct EndpointClaim {
    #[serde(default)]
    pub(super) scope: Vec<String>,
    pub(super) lineitem: Option<String>,
}

/// The list of members.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct NamesClaim {
    pub(super) context_memberships_url: Option<String>,
}

/// Start of a role in the platform's course. The list of members may leave it out.
const MEMBERSHIP: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership";

/// The role here of a person with these roles in a platform's course. Roles in the whole system or
/// school do not count.
pub(super) fn role(roles: &[String]) -> Role {
    let mut best = Role::Observer;
    let mut helps = false;
    for role in roles {
        let in_course = role.strip_prefix(MEMBERSHIP).map(|rest| rest.trim_start_matches('#'));
        match in_course.unwrap_or(role) {
            "Instructor" => best = Role::Instructor,
            "Learner" if best == Role::Observer => best = Role::Student,
            // Sub-roles come with their main role.
            "/Instructor#TeachingAssistant"
            | "/Instructor#NonEditingTeacher"
            | "TeachingAssistant" => helps = true,
            _ => {}
        }
    }
    if helps { Role::Assistant } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_roles_in_the_course_count() {
        let of = |roles: &[&str]| role(&roles.iter().map(ToString::to_string).collect::<Vec<_>>());
        let membership = |role: &str| format!("{MEMBERSHIP}{role}");
        let institution = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#";
        let system = "http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator";
        assert_eq!(of(&[&membership("#Instructor")]), Role::Instructor);
        assert_eq!(of(&[&membership("#Learner")]), Role::Student);
        assert_eq!(of(&["Learner"]), Role::Student, "the short form in lists of members");
        let assistant = membership("/Instructor#TeachingAssistant");
        assert_eq!(of(&[&membership("#Instructor"), &assistant]), Role::Assistant);
        assert_eq!(of(&[&assistant]), Role::Assistant);
        assert_eq!(of(&[&format!("{institution}Instructor")]), Role::Observer);
        assert_eq!(of(&[&format!("{institution}Administrator"), system]), Role::Observer);
        assert_eq!(of(&[system, &membership("#Learner")]), Role::Student);
        assert_eq!(of(&[&membership("#Mentor")]), Role::Observer);
        assert_eq!(of(&[&membership("#Instructor").to_lowercase()]), Role::Observer);
        assert_eq!(of(&[]), Role::Observer);
    }
}
