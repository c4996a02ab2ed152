//! A message that tries the settings for mail.

use super::Failed;
use crate::config::Config;
use crate::{mail, words};

/// Sends a message to an address, and says that the mail server took it.
pub(super) fn test(config: &Config, address: &str) -> Result<(), Failed> {
    let settings = config.mail.as_ref().ok_or(Failed::NoMail)?;
    let words = words::Language::English.words();
    let (subject, body) = (words.t("mail.test_subject"), words.t1("mail.test", config.base_url()));
    mail::send(settings, (None, address), subject, body + "\n")?;
    println!("`{}` took a message to `{address}`", settings.host);
    Ok(())
}
