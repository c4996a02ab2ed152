//! Layers between the socket and the pages: headers, limits, sessions, errors.

mod assets;
mod connections;
mod failure;
mod frame;
mod headers;
mod limits;
mod not_modified;
mod origin;
mod outage;
mod permits;
mod play;
mod refused_form;
mod session;
mod signed;
mod write;

pub use assets::{Assets, asset};
pub use connections::serve;
pub use failure::{RequestFailure, in_words};
pub use frame::{CourseLink, ErrorPage, PageFrame, chosen, shown, shown_as};
pub use headers::security_headers;
pub use limits::{ClientAddress, FailureLimit, few_failures, plain_bodies_only, rate_limited};
pub use not_modified::{Keeper, Tag};
pub use origin::own_origin_only;
pub use outage::during_outage;
pub use play::{play_file, play_page};
pub use refused_form::{Fields, Typed, filled};
pub use session::{
    COOKIE, Reader, TokenViewer, Viewer, begin_session, cleared, cleared_cookie, cookie, cookie_in,
    posted_cookie, session_end, short_cookie,
};
pub use signed::{handed_out, signed};
pub use write::{WriteAddresses, write_file, write_page};
