-- The webhooks of a shop beside its first one, which is in "webhooks".
CREATE TABLE IF NOT EXISTS further_webhooks (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL,
  url TEXT COLLATE "C" NOT NULL,
  events TEXT COLLATE "C" NOT NULL CHECK (events::json IS NOT NULL),
  -- who defines the body and the signature of its messages: Florin or BTCPay Server
  format TEXT COLLATE "C" NOT NULL CHECK (format IN ('florin', 'greenfield')),
  -- the API key with which it was made; null if a person made it
  key_id TEXT COLLATE "C",
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('active', 'disabled')),
  secret TEXT COLLATE "C" NOT NULL,
  previous_secret TEXT COLLATE "C",
  previous_secret_until BIGINT,
  failing_since BIGINT,
  failures BIGINT NOT NULL DEFAULT 0,
  alerts BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);
CREATE INDEX IF NOT EXISTS further_webhooks_of_merchant ON further_webhooks (merchant_id, created_at, id);

-- The deliveries of events to them. An event that only they are subscribed to has no row in "deliveries".
CREATE TABLE IF NOT EXISTS further_deliveries (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  webhook_id TEXT COLLATE "C" NOT NULL,
  event_id TEXT COLLATE "C" NOT NULL,
  merchant_id TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'delivered') OR status = 'failed'),
  next_attempt_at BIGINT,
  tries TEXT COLLATE "C" NOT NULL CHECK (tries::json IS NOT NULL),
  first_tried_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  CHECK (status = 'pending' OR next_attempt_at IS NULL)
);
CREATE INDEX IF NOT EXISTS further_deliveries_parked ON further_deliveries (webhook_id, type, created_at)
  WHERE status <> 'delivered' AND next_attempt_at IS NULL;
CREATE INDEX IF NOT EXISTS further_deliveries_of_webhook ON further_deliveries (webhook_id, created_at, id);
CREATE INDEX IF NOT EXISTS further_deliveries_of_event ON further_deliveries (event_id);
CREATE INDEX IF NOT EXISTS further_deliveries_with_tries ON further_deliveries (updated_at)
  WHERE status = 'delivered' AND tries <> '[]';

-- The origin of the website that got the key when a person connected it; null for other keys.
ALTER TABLE keys ADD COLUMN IF NOT EXISTS app_origin TEXT COLLATE "C";
