//! The head of the API's description.

use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "judge-server",
        version = "1",
        description = "Submit bots and read results. Make a token on your page.",
        license(name = "Apache-2.0 OR MIT")
    ),
    servers((url = "/api/v1")),
    modifiers(&Bearer),
    security(("token" = []))
)]
struct Document;

struct Bearer;

impl utoipa::Modify for Bearer {
    fn modify(&self, document: &mut OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// Title, license and security scheme of the API.
pub(super) fn document() -> OpenApi {
    Document::openapi()
}
