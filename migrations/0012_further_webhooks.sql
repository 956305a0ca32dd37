-- The webhooks of a shop beside its first one, which is in "webhooks".
CREATE TABLE further_webhooks (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL CHECK (json_valid(events)),
  -- who defines the body and the signature of its messages: Florin or BTCPay Server
  format TEXT NOT NULL CHECK (format IN ('florin', 'greenfield')),
  -- the API key with which it was made; null if a person made it
  key_id TEXT,
  status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until INTEGER,
  failing_since INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  alerts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
) STRICT;
CREATE INDEX further_webhooks_of_merchant ON further_webhooks (merchant_id, created_at, id);

-- The deliveries of events to them. An event that only they are subscribed to has no row in "deliveries".
CREATE TABLE further_deliveries (
  id TEXT NOT NULL PRIMARY KEY,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered') OR status = 'failed'),
  next_attempt_at INTEGER,
  tries TEXT NOT NULL CHECK (json_valid(tries)),
  first_tried_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (status = 'pending' OR next_attempt_at IS NULL)
) STRICT;
CREATE INDEX further_deliveries_parked ON further_deliveries (webhook_id, type, created_at)
  WHERE status <> 'delivered' AND next_attempt_at IS NULL;
CREATE INDEX further_deliveries_of_webhook ON further_deliveries (webhook_id, created_at, id);
CREATE INDEX further_deliveries_of_event ON further_deliveries (event_id);
CREATE INDEX further_deliveries_with_tries ON further_deliveries (updated_at)
  WHERE status = 'delivered' AND tries <> '[]';

-- The origin of the website that got the key when a person connected it; null for other keys.
ALTER TABLE keys ADD COLUMN app_origin TEXT;
