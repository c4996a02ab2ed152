//! Arguments that several commands share, and their conversion to requests.

mod again;
mod bounds;
mod contest;
mod course_tool;
mod limits;
mod machines;
mod native;
mod options;
mod outputs;
mod pages;
mod round;
mod secrecy;
pub(crate) mod sources;
mod suite;
mod tips;
mod wanted;
mod workers;

pub(crate) use again::interrupted;
pub(crate) use bounds::BoundArgs;
pub(crate) use contest::{ContestArgs, tell_time};
pub(crate) use course_tool::CourseToolArgs;
pub(crate) use limits::{LimitArgs, SHARED_TIME};
pub(crate) use machines::MachineArgs;
pub(crate) use native::NativeArgs;
pub(crate) use options::option;
pub(crate) use outputs::are_no_inputs;
pub(crate) use pages::PagesArg;
pub(crate) use round::{FromArgs, RoundArgs};
pub(crate) use secrecy::Secrecy;
pub(crate) use sources::{DefineArgs, SourceArgs};
pub(crate) use suite::SuiteArgs;
pub(crate) use tips::with_tip;
pub(crate) use wanted::Wanted;
pub(crate) use workers::{Walls, WorkerArgs, jobs};
