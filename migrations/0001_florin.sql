-- Instants are milliseconds since 1970 UTC; money is decimal text; sums of coins and of statistics are integer text.

CREATE TABLE merchants (
  id TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  fee_percent TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
  return_url TEXT,
  support_email TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  scopes TEXT NOT NULL CHECK (json_valid(scopes)),
  secret_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX keys_of_merchant ON keys (merchant_id, created_at);

CREATE TABLE customers (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  blocked_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (merchant_id, email_key)
) STRICT;

CREATE TABLE wallets (
  merchant_id TEXT NOT NULL PRIMARY KEY REFERENCES merchants (id),
  addresses TEXT NOT NULL CHECK (json_valid(addresses)),
  include_crypto INTEGER NOT NULL CHECK (include_crypto IN (0, 1)),
  order_wallet_override INTEGER NOT NULL CHECK (order_wallet_override IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE webhooks (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL UNIQUE REFERENCES merchants (id),
  url TEXT NOT NULL,
  events TEXT NOT NULL CHECK (json_valid(events)),
  status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
  secret TEXT NOT NULL,
  failing_since INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE orders (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  customer_id TEXT NOT NULL REFERENCES customers (id),
  customer_email TEXT NOT NULL,
  customer_full_name TEXT NOT NULL,
  external_id TEXT,
  product_id TEXT,
  product_name TEXT,
  product_image_url TEXT,
  description TEXT,
  amount TEXT NOT NULL,
  currency TEXT NOT NULL,
  method_keys TEXT NOT NULL CHECK (json_valid(method_keys)),
  receiving_wallet TEXT,
  return_url TEXT,
  metadata TEXT NOT NULL CHECK (json_valid(metadata)),
  source TEXT NOT NULL CHECK (source IN ('api', 'web')),
  fee_percent TEXT NOT NULL,
  fee_amount TEXT NOT NULL,
  net_amount TEXT NOT NULL,
  fee_collection TEXT NOT NULL CHECK (fee_collection IN ('PROVIDER_SPLIT', 'ACCOUNTED_NOT_COLLECTED')),
  status TEXT NOT NULL CHECK (status IN ('UNPAID', 'PAID', 'FAILED', 'EXPIRED', 'CANCELLED')),
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  transaction_id TEXT REFERENCES transactions (id),
  transaction_ref TEXT,
  paid_at INTEGER,
  provider_address_in TEXT,
  provider_payout_address TEXT,
  provider_tx_in TEXT,
  provider_tx_out TEXT,
  received_amount TEXT,
  received_currency TEXT,
  forced_at INTEGER,
  forced_by TEXT,
  force_reason TEXT,
  forced_provider_status TEXT,
  cancelled_at INTEGER,
  cancelled_by TEXT,
  cancel_reason TEXT,
  CHECK ((status = 'PAID') = (paid_at IS NOT NULL)),
  CHECK ((status = 'PAID') = (transaction_id IS NOT NULL OR forced_at IS NOT NULL)),
  CHECK (transaction_id IS NULL OR forced_at IS NULL),
  CHECK ((status = 'CANCELLED') = (cancelled_at IS NOT NULL))
) STRICT;
CREATE INDEX orders_of_merchant ON orders (merchant_id, created_at DESC, id DESC);
CREATE INDEX orders_by_status ON orders (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX orders_by_external_id ON orders (merchant_id, external_id, created_at DESC, id DESC)
  WHERE external_id IS NOT NULL;

CREATE TABLE sessions (
  order_id TEXT NOT NULL PRIMARY KEY REFERENCES orders (id),
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  status TEXT NOT NULL
    CHECK (status IN ('CREATED', 'PROVISIONING', 'READY', 'FAILED', 'SETTLED', 'EXPIRED', 'ABANDONED')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE attempts (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  order_id TEXT NOT NULL REFERENCES orders (id),
  kind TEXT NOT NULL CHECK (kind IN ('redirect', 'address')),
  provider TEXT,
  method_key TEXT NOT NULL,
  method_name TEXT NOT NULL,
  asset_id TEXT NOT NULL,
  decimals INTEGER NOT NULL,
  due_atomic TEXT NOT NULL,
  threshold_atomic TEXT NOT NULL,
  rate TEXT,
  rate_sources TEXT NOT NULL CHECK (json_valid(rate_sources)),
  rate_at INTEGER,
  address TEXT UNIQUE,
  payout_address TEXT,
  address_source TEXT CHECK (json_valid(address_source)),
  payment_uri TEXT,
  redirect_url TEXT,
  callback_url TEXT,
  callback_secret TEXT,
  provider_ref TEXT,
  fee_split INTEGER NOT NULL CHECK (fee_split IN (0, 1)),
  locked_until INTEGER NOT NULL,
  watch_until INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'underpaid', 'confirming', 'settled', 'expired', 'failed')),
  received TEXT NOT NULL,
  confirmed TEXT NOT NULL,
  confirmations INTEGER,
  required_confirmations INTEGER,
  cursor TEXT CHECK (json_valid(cursor)),
  checked_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX attempts_of_order ON attempts (order_id, created_at, id);
CREATE UNIQUE INDEX one_settled_attempt ON attempts (order_id) WHERE state = 'settled';

CREATE TABLE incoming_payments (
  id TEXT NOT NULL PRIMARY KEY,
  attempt_id TEXT NOT NULL REFERENCES attempts (id),
  order_id TEXT NOT NULL REFERENCES orders (id),
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  source TEXT NOT NULL,
  tx_id TEXT NOT NULL,
  tx_index TEXT NOT NULL,
  asset_id TEXT NOT NULL,
  amount TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('seen', 'final', 'gone')),
  settles INTEGER NOT NULL CHECK (settles IN (0, 1)),
  confirmations INTEGER NOT NULL,
  height INTEGER,
  tx_in TEXT,
  tx_out TEXT,
  paid_at INTEGER NOT NULL,
  evidence TEXT NOT NULL CHECK (json_valid(evidence)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (source, tx_id, tx_index)
) STRICT;
CREATE UNIQUE INDEX incoming_payments_tx_in ON incoming_payments (source, tx_in, tx_index) WHERE tx_in IS NOT NULL;
CREATE INDEX incoming_payments_of_attempt ON incoming_payments (attempt_id);

CREATE TABLE transactions (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  order_id TEXT NOT NULL UNIQUE REFERENCES orders (id),
  attempt_id TEXT NOT NULL UNIQUE REFERENCES attempts (id),
  transaction_ref TEXT,
  method_key TEXT NOT NULL,
  amount TEXT NOT NULL,
  currency TEXT NOT NULL,
  fee_percent TEXT NOT NULL,
  fee_amount TEXT NOT NULL,
  net_amount TEXT NOT NULL,
  fee_collection TEXT NOT NULL CHECK (fee_collection IN ('PROVIDER_SPLIT', 'ACCOUNTED_NOT_COLLECTED')),
  receiving_wallet TEXT NOT NULL,
  received_amount TEXT NOT NULL,
  received_currency TEXT NOT NULL,
  tx_in TEXT,
  tx_out TEXT,
  status TEXT NOT NULL CHECK (status IN ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')),
  paid_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX transactions_of_merchant ON transactions (merchant_id, created_at DESC, id DESC);

CREATE TABLE settlements (
  order_id TEXT NOT NULL PRIMARY KEY REFERENCES orders (id),
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  attempt_id TEXT NOT NULL REFERENCES attempts (id),
  transaction_id TEXT NOT NULL UNIQUE REFERENCES transactions (id),
  verdict TEXT NOT NULL CHECK (verdict IN ('exact', 'over', 'late')),
  rule TEXT NOT NULL,
  evidence TEXT NOT NULL CHECK (json_valid(evidence)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE unmatched_payments (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  order_id TEXT NOT NULL REFERENCES orders (id),
  attempt_id TEXT NOT NULL REFERENCES attempts (id),
  incoming_payment_id TEXT NOT NULL UNIQUE REFERENCES incoming_payments (id),
  reason TEXT NOT NULL
    CHECK (reason IN ('wrong_asset', 'underpaid', 'second_payment', 'order_closed', 'too_late')),
  status TEXT NOT NULL CHECK (status IN ('open', 'resolved')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX unmatched_of_merchant ON unmatched_payments (merchant_id, created_at DESC, id DESC);
CREATE INDEX unmatched_of_attempt ON unmatched_payments (attempt_id);

CREATE TABLE notifications (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  kind TEXT NOT NULL,
  order_id TEXT REFERENCES orders (id),
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX notifications_of_merchant ON notifications (merchant_id, created_at DESC, id DESC);

CREATE TABLE events (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  order_id TEXT NOT NULL REFERENCES orders (id),
  type TEXT NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX events_of_merchant ON events (merchant_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX one_order_paid ON events (order_id) WHERE type = 'order.paid';

CREATE TABLE deliveries (
  event_id TEXT NOT NULL PRIMARY KEY REFERENCES events (id),
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  next_attempt_at INTEGER,
  tries TEXT NOT NULL CHECK (json_valid(tries)),
  first_tried_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (status = 'pending' OR next_attempt_at IS NULL)
) STRICT;
CREATE INDEX deliveries_waiting ON deliveries (merchant_id, created_at)
  WHERE status = 'pending' AND next_attempt_at IS NULL;

CREATE TABLE jobs (
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  lane TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  lease TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_due ON jobs (due_at, lane);

CREATE TABLE idempotency_keys (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, operation, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE statistics (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  day TEXT NOT NULL,
  currency TEXT NOT NULL,
  pending TEXT NOT NULL,
  gross TEXT NOT NULL,
  net TEXT NOT NULL,
  refunded TEXT NOT NULL,
  cancelled TEXT NOT NULL,
  forced TEXT NOT NULL,
  pending_count INTEGER NOT NULL,
  paid_count INTEGER NOT NULL,
  refunded_count INTEGER NOT NULL,
  cancelled_count INTEGER NOT NULL,
  forced_count INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, day, currency)
) STRICT, WITHOUT ROWID;

CREATE TABLE catalogues (
  provider TEXT NOT NULL PRIMARY KEY,
  methods TEXT NOT NULL CHECK (json_valid(methods)),
  fetched_at INTEGER NOT NULL
) STRICT;

CREATE TRIGGER settlements_are_final BEFORE UPDATE ON settlements
BEGIN SELECT RAISE(ABORT, 'settlements are never changed'); END;
CREATE TRIGGER settlements_stay BEFORE DELETE ON settlements
BEGIN SELECT RAISE(ABORT, 'settlements are never deleted'); END;
CREATE TRIGGER events_are_final BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER paid_orders_stay_paid BEFORE UPDATE OF status ON orders
WHEN OLD.status IN ('PAID', 'CANCELLED', 'FAILED') AND NEW.status <> OLD.status
BEGIN SELECT RAISE(ABORT, 'nothing leaves PAID, CANCELLED or FAILED'); END;
