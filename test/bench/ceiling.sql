-- The tables that a new order touches, as they were when the comparison was written. Never changed, so that
-- ratios of different versions can be compared.

CREATE TABLE merchants (
  id TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL,
  -- the address in lower case
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  fee_percent TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
  return_url TEXT,
  support_email TEXT,
  -- whose addresses buyers pay coins to first, if both are available
  crypto_first TEXT NOT NULL DEFAULT 'own' CHECK (crypto_first IN ('own', 'provider')),
  -- the percentage that may be missing from a payment of a coin
  tolerance TEXT NOT NULL DEFAULT '0.5',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  scopes TEXT NOT NULL CHECK (json_valid(scopes)),
  secret_hash TEXT NOT NULL,
  label TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  expires_at INTEGER,
  last_used_at INTEGER
) STRICT;

CREATE INDEX keys_of_merchant ON keys (merchant_id, created_at);

CREATE TABLE customers (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  email TEXT NOT NULL,
  -- the address in lower case
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

  -- set when the order is paid
  transaction_id TEXT,
  transaction_ref TEXT,
  paid_at INTEGER,
  provider_address_in TEXT,
  provider_payout_address TEXT,
  provider_tx_in TEXT,
  provider_tx_out TEXT,
  received_amount TEXT,
  received_currency TEXT,

  -- set when the operator marks the order as paid
  forced_at INTEGER,
  forced_by TEXT,
  force_reason TEXT,
  forced_provider_status TEXT,

  cancelled_at INTEGER,
  cancelled_by TEXT,
  cancel_reason TEXT,

  refund_status TEXT CHECK (refund_status IN ('PARTIAL', 'FULL')),
  refunded_amount TEXT,
  refund_count INTEGER NOT NULL DEFAULT 0,
  last_refunded_at INTEGER,
  refunded_at INTEGER,

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

CREATE TABLE jobs (
  kind TEXT NOT NULL,
  -- what the job is about: the ID of an order, an attempt, an event or a provider
  subject TEXT NOT NULL,
  -- jobs of a lane share a limit of concurrency
  lane TEXT NOT NULL,
  -- jobs of a lane run in this order, then longest due first
  priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 3),
  -- while the job is leased: when the lease ends
  due_at INTEGER NOT NULL,
  -- the process that runs the job
  lease TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_due ON jobs (due_at, lane);

CREATE INDEX jobs_by_lane ON jobs (lane, priority, due_at);

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
