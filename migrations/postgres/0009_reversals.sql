-- What a provider takes back of a charge into the merchant's own account: refunds and disputes, also those that were
-- made at the provider. A refund that Florin sends has its row before the provider is asked.
CREATE TABLE IF NOT EXISTS reversals (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL,
  order_id TEXT COLLATE "C" NOT NULL,
  attempt_id TEXT COLLATE "C" NOT NULL,
  provider TEXT COLLATE "C" NOT NULL,
  reference TEXT COLLATE "C",
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('refund', 'dispute')),
  status TEXT COLLATE "C" NOT NULL CHECK (
    status = 'asked' OR status = 'pending' OR status = 'succeeded' OR status = 'failed'
  ),
  amount TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  refund_id TEXT COLLATE "C",
  idempotency_key TEXT COLLATE "C",
  reason TEXT COLLATE "C",
  created_by TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS reversals_of_order ON reversals (order_id, created_at, id);
