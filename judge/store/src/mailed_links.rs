//! Links of invitations that go to their people by mail, and to no page.

use crate::access::{Token, hash};
use crate::basics::error::Error;
use crate::basics::id::InvitationId;
use crate::basics::time::Timestamp;
use crate::invitations::{LinkMaker, NewInvitation, insert_listed};
use crate::mail;
use crate::people::NewPerson;
use crate::store::Store;

const NEW_SECRET: &str = "UPDATE invitation SET hash = $2 \
    WHERE id = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $3";

impl Store {
    /// Invites the people of a list like [`Store::invite_people`], and sends mail to those with an
    /// address. They get the only secret for their link, so none is returned for them.
    ///
    /// # Errors
    /// When a name or an address cannot be used, or the database fails.
    pub async fn invite_by_mail(
        &self,
        maker: Option<LinkMaker<'_>>,
        new: &NewInvitation,
        people: &[NewPerson],
        now: Timestamp,
    ) -> Result<Vec<Option<Token>>, Error> {
        let mut transaction = self.invite_to(new.course.as_ref()).await?;
        let mut secrets = Vec::new();
        for one in people {
            let made = insert_listed(&mut transaction, (maker, new), one, now).await?;
            let (person, invitation, secret) = made;
            if one.address.is_some() {
                mail::invited(&mut transaction, (&person, &invitation), now).await?;
            }
            secrets.push(one.address.is_none().then_some(secret));
        }
        self.log_invited(&mut transaction, new, people.len()).await?;
        transaction.commit().await?;
        Ok(secrets)
    }

    /// Gives an invitation a new secret for its link; the old link does not work any more. None if
    /// the invitation cannot be used.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn renew_link(
        &self,
        invitation: &InvitationId,
        now: Timestamp,
    ) -> Result<Option<Token>, Error> {
        let token = Token::random()?;
        let query = sqlx::query(NEW_SECRET).bind(invitation.as_str()).bind(hash(token.reveal()));
        let done = query.bind(now.millis()).execute(&self.pool).await?;
        Ok((done.rows_affected() > 0).then_some(token))
    }
}
