-- What a provider takes back of a charge into the merchant's own account: refunds and disputes, also those that were
-- made at the provider. A refund that Florin sends has its row before the provider is asked.
CREATE TABLE reversals (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  order_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  reference TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('refund', 'dispute')),
  status TEXT NOT NULL CHECK (
    status = 'asked' OR status = 'pending' OR status = 'succeeded' OR status = 'failed'
  ),
  amount TEXT NOT NULL,
  currency TEXT NOT NULL,
  refund_id TEXT,
  idempotency_key TEXT,
  reason TEXT,
  created_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reversals_of_order ON reversals (order_id, created_at, id);
