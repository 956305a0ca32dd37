-- Whether buyers get mails about parts, late and superfluous payments, refunds and payments that vanished; NULL if
-- they get them where they get receipts.
ALTER TABLE merchants ADD COLUMN payment_mails INTEGER;

-- Mails to buyers about what happened to their payments, several of each kind for an order.
CREATE TABLE payment_mails (
  id TEXT NOT NULL PRIMARY KEY,
  order_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- of the address of the buyer, in the spelling in which mails to it are counted
  mailbox_hash TEXT NOT NULL,
  language TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'sent') OR status = 'given_up'),
  failures INTEGER NOT NULL,
  -- how often something happened that the mail is about
  news INTEGER NOT NULL,
  -- when it was to be sent first
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX payment_mails_of_order ON payment_mails (order_id, due_at, id);
CREATE INDEX payment_mails_of_mailbox ON payment_mails (mailbox_hash, due_at);
