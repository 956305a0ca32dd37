-- The schema of ../0001_florin.sql for PostgreSQL. The comments there say what tables and columns hold; those here say
-- what is different. A test compares the catalogues of both engines.
--   Texts sort and compare by their bytes, as in SQLite.
--   BIGINT and BYTEA stand for INTEGER and BLOB.
--   The cast of a text that is no JSON fails, so the CHECK of a column with JSON does what json_valid does.
--   The trigger audit_log_no_replace is missing: PostgreSQL has no statement that replaces rows.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; END $$;

CREATE TABLE write_probes (
  id BIGINT NOT NULL PRIMARY KEY,
  padding BYTEA NOT NULL
);

CREATE TABLE commits (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  count BIGINT NOT NULL
);
INSERT INTO commits (id, count) VALUES (1, 0);

CREATE TABLE installation (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  mode TEXT COLLATE "C" NOT NULL CHECK (mode IN ('sandbox', 'live')),
  decided_at BIGINT NOT NULL,
  backed_up_at BIGINT
);

CREATE TABLE retention_progress (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  ran_at BIGINT NOT NULL,
  reached_at BIGINT NOT NULL
);

CREATE TABLE chosen_endpoints (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  chain TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  protocol TEXT COLLATE "C" NOT NULL,
  url TEXT COLLATE "C" NOT NULL,
  header TEXT COLLATE "C" CHECK (header IS NULL OR header::json IS NOT NULL),
  created_at BIGINT NOT NULL
);

CREATE TABLE chosen_rate_sources (
  name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  created_at BIGINT NOT NULL
);

CREATE TABLE merchants (
  number BIGINT NOT NULL PRIMARY KEY,
  id TEXT COLLATE "C" NOT NULL UNIQUE,
  email TEXT COLLATE "C" NOT NULL,
  email_key TEXT COLLATE "C" NOT NULL UNIQUE,
  name TEXT COLLATE "C" NOT NULL,
  fee_percent TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('active', 'suspended')),
  return_url TEXT COLLATE "C",
  support_email TEXT COLLATE "C",
  support_url TEXT COLLATE "C",
  terms_url TEXT COLLATE "C",
  privacy_url TEXT COLLATE "C",
  color TEXT COLLATE "C" CHECK (color ~ '^#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]$'),
  logo TEXT COLLATE "C" CHECK (logo IS NULL OR logo::json IS NOT NULL),
  searchable BIGINT NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1)),
  receipts BIGINT NOT NULL DEFAULT 0 CHECK (receipts IN (0, 1)),
  payment_mails BIGINT,
  crypto_first TEXT COLLATE "C" NOT NULL DEFAULT 'own' CHECK (crypto_first IN ('own', 'provider')),
  tolerance TEXT COLLATE "C" NOT NULL DEFAULT '0.5',
  late TEXT COLLATE "C" NOT NULL DEFAULT 'settle' CHECK (late IN ('settle', 'ask')),
  time_zone TEXT COLLATE "C" NOT NULL DEFAULT 'UTC',
  currency TEXT COLLATE "C",
  language TEXT COLLATE "C" NOT NULL DEFAULT 'en',
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE SEQUENCE merchants_number;
CREATE FUNCTION number_merchant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.number := nextval('merchants_number'); RETURN NEW; END $$;
-- SQLite gives numbers without a trigger.
CREATE TRIGGER merchants_number BEFORE INSERT ON merchants FOR EACH ROW
WHEN (NEW.number IS NULL) EXECUTE FUNCTION number_merchant();

CREATE TABLE keys (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  mode TEXT COLLATE "C" NOT NULL CHECK (mode IN ('live', 'test')),
  scopes TEXT COLLATE "C" NOT NULL CHECK (scopes::json IS NOT NULL),
  secret_hash TEXT COLLATE "C" NOT NULL,
  label TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  expires_at BIGINT,
  last_used_at BIGINT,
  replaced_by TEXT COLLATE "C" REFERENCES keys (id)
);
CREATE INDEX keys_of_merchant ON keys (merchant_id, created_at);

CREATE TABLE customers (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  email TEXT COLLATE "C" NOT NULL,
  email_key TEXT COLLATE "C" NOT NULL,
  blocked_at BIGINT,
  created_at BIGINT NOT NULL,
  UNIQUE (merchant_id, email_key)
);
CREATE INDEX customers_blocked ON customers (merchant_id, email_key) WHERE blocked_at IS NOT NULL;

CREATE TABLE wallets (
  merchant_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES merchants (id),
  addresses TEXT COLLATE "C" NOT NULL CHECK (addresses::json IS NOT NULL),
  include_crypto BIGINT NOT NULL CHECK (include_crypto IN (0, 1)),
  order_wallet_override BIGINT NOT NULL CHECK (order_wallet_override IN (0, 1)),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE provider_accounts (
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  provider TEXT COLLATE "C" NOT NULL,
  credentials TEXT COLLATE "C" NOT NULL CHECK (credentials::json IS NOT NULL),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, provider)
);

CREATE TABLE webhooks (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES merchants (id),
  url TEXT COLLATE "C" NOT NULL,
  events TEXT COLLATE "C" NOT NULL CHECK (events::json IS NOT NULL),
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

CREATE TABLE address_sources (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  network TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('xpub', 'viewkey') OR kind = 'pool'),
  key TEXT COLLATE "C",
  script TEXT COLLATE "C" CHECK (script IN ('p2pkh', 'p2sh-p2wpkh') OR script IN ('p2wpkh', 'p2tr')),
  payout_address TEXT COLLATE "C",
  next_index BIGINT NOT NULL CHECK (next_index >= 0),
  active BIGINT NOT NULL CHECK (active IN (0, 1)),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  skipped_at BIGINT,
  CHECK ((kind = 'pool') = (key IS NULL)),
  CHECK ((kind = 'viewkey') = (payout_address IS NOT NULL))
);
CREATE INDEX address_sources_of_merchant ON address_sources (merchant_id, network);
CREATE UNIQUE INDEX one_active_source ON address_sources (merchant_id, network, kind) WHERE active = 1;
CREATE INDEX address_sources_skipped ON address_sources (skipped_at) WHERE skipped_at IS NOT NULL;

CREATE UNIQUE INDEX one_source_per_key ON address_sources (network, key) WHERE key IS NOT NULL;

CREATE TABLE source_addresses (
  network TEXT COLLATE "C" NOT NULL,
  address TEXT COLLATE "C" NOT NULL,
  source_id TEXT COLLATE "C" NOT NULL REFERENCES address_sources (id),
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  position BIGINT NOT NULL CHECK (position >= 0),
  attempt_id TEXT COLLATE "C",
  allocated_at BIGINT,
  PRIMARY KEY (network, address),
  UNIQUE (source_id, position),
  CHECK ((attempt_id IS NULL) = (allocated_at IS NULL))
);
CREATE UNIQUE INDEX given_addresses ON source_addresses (attempt_id) WHERE attempt_id IS NOT NULL;
CREATE INDEX free_addresses ON source_addresses (source_id, position) WHERE attempt_id IS NULL;
CREATE TRIGGER source_addresses_no_delete BEFORE DELETE ON source_addresses FOR EACH ROW
WHEN (OLD.attempt_id IS NOT NULL)
EXECUTE FUNCTION refuse_change('addresses that were given to buyers cannot be deleted');

CREATE TABLE skipped_payments (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  network TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL CHECK (position >= 0),
  address TEXT COLLATE "C" NOT NULL,
  asset_id TEXT COLLATE "C" NOT NULL,
  decimals BIGINT NOT NULL,
  amount_atomic TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('open', 'resolved')),
  note TEXT COLLATE "C",
  decided_by TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (address, asset_id)
);
CREATE INDEX skipped_payments_of_merchant ON skipped_payments (merchant_id, created_at, id);

CREATE TABLE product_images (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  type TEXT COLLATE "C" NOT NULL CHECK (type IN ('image/png', 'image/jpeg') OR type IN ('image/webp', 'image/svg+xml')),
  bytes BYTEA NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE TRIGGER product_images_no_update BEFORE UPDATE ON product_images FOR EACH ROW
EXECUTE FUNCTION refuse_change('product images cannot be changed');

CREATE TABLE products (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  name TEXT COLLATE "C" NOT NULL,
  description TEXT COLLATE "C",
  image_url TEXT COLLATE "C",
  image_id TEXT COLLATE "C" REFERENCES product_images (id),
  image_display_size BIGINT NOT NULL CHECK (image_display_size BETWEEN 160 AND 512),
  active BIGINT NOT NULL CHECK (active IN (0, 1)),
  allow_price_override BIGINT NOT NULL CHECK (allow_price_override IN (0, 1)),
  amount TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  method_keys TEXT COLLATE "C" NOT NULL CHECK (method_keys::json IS NOT NULL),
  metadata TEXT COLLATE "C" NOT NULL CHECK (metadata::json IS NOT NULL),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  CHECK (image_url IS NULL OR image_id IS NULL)
);
CREATE INDEX products_of_merchant ON products (merchant_id, updated_at, id);

CREATE TABLE orders (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  merchant_number BIGINT NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  customer_email TEXT COLLATE "C" NOT NULL,
  customer_full_name TEXT COLLATE "C" NOT NULL,
  external_id TEXT COLLATE "C",
  product_id TEXT COLLATE "C",
  product_name TEXT COLLATE "C",
  product_image_url TEXT COLLATE "C",
  description TEXT COLLATE "C",
  amount TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  method_keys TEXT COLLATE "C" NOT NULL CHECK (method_keys::json IS NOT NULL),
  receiving_wallet TEXT COLLATE "C",
  return_url TEXT COLLATE "C",
  metadata TEXT COLLATE "C" NOT NULL CHECK (metadata::json IS NOT NULL),
  source TEXT COLLATE "C" NOT NULL CHECK (source IN ('api', 'web')),
  fee_percent TEXT COLLATE "C" NOT NULL,
  fee_amount TEXT COLLATE "C" NOT NULL,
  net_amount TEXT COLLATE "C" NOT NULL,
  fee_collection TEXT COLLATE "C" NOT NULL CHECK (fee_collection IN ('PROVIDER_SPLIT', 'ACCOUNTED_NOT_COLLECTED')),
  status TEXT COLLATE "C" NOT NULL
    CHECK (status IN ('UNPAID', 'PAID') OR status IN ('FAILED', 'EXPIRED') OR status = 'CANCELLED'),
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  session_status TEXT COLLATE "C" NOT NULL
    CHECK (
      session_status IN ('CREATED', 'PROVISIONING') OR session_status IN ('READY', 'FAILED')
      OR session_status IN ('SETTLED', 'EXPIRED') OR session_status = 'ABANDONED'
    ),
  session_updated_at BIGINT NOT NULL,
  chosen_method TEXT COLLATE "C",
  chosen_asset TEXT COLLATE "C",
  payment_state TEXT COLLATE "C" CHECK (payment_state IN ('CONFIRMING', 'PART_PAID') OR payment_state = 'OVERPAID'),
  opened_at BIGINT,
  expired_at BIGINT,
  transaction_id TEXT COLLATE "C",
  transaction_ref TEXT COLLATE "C",
  paid_at BIGINT,
  provider_address_in TEXT COLLATE "C",
  provider_payout_address TEXT COLLATE "C",
  provider_tx_in TEXT COLLATE "C",
  provider_tx_out TEXT COLLATE "C",
  received_amount TEXT COLLATE "C",
  received_currency TEXT COLLATE "C",
  forced_at BIGINT,
  forced_by TEXT COLLATE "C",
  force_reason TEXT COLLATE "C",
  forced_provider_status TEXT COLLATE "C",
  cancelled_at BIGINT,
  cancelled_by TEXT COLLATE "C",
  cancel_reason TEXT COLLATE "C",
  refund_status TEXT COLLATE "C" CHECK (refund_status IN ('PARTIAL', 'FULL')),
  refunded_amount TEXT COLLATE "C",
  refund_count BIGINT NOT NULL DEFAULT 0,
  last_refunded_at BIGINT,
  refunded_at BIGINT,
  CHECK ((status = 'PAID') = (paid_at IS NOT NULL)),
  CHECK ((status = 'PAID') = (transaction_id IS NOT NULL OR forced_at IS NOT NULL)),
  CHECK (transaction_id IS NULL OR forced_at IS NULL),
  CHECK ((status = 'CANCELLED') = (cancelled_at IS NOT NULL))
);

CREATE INDEX orders_of_merchant ON orders
  (
    merchant_number, created_at, id, status, chosen_method, chosen_asset, currency, amount, refund_count,
    payment_state
  );
CREATE INDEX orders_by_status ON orders (merchant_number, status, created_at, id);
CREATE INDEX orders_of_customer ON orders (customer_id, created_at);

CREATE INDEX orders_by_external_id ON orders (merchant_number, lower(external_id), created_at, id)
  WHERE external_id IS NOT NULL;
CREATE INDEX orders_by_name ON orders (merchant_number, lower(customer_full_name))
  WHERE customer_full_name <> '';

CREATE INDEX orders_by_second_name
  ON orders (merchant_number, lower(substr(customer_full_name, strpos(customer_full_name, ' ') + 1)))
  WHERE strpos(customer_full_name, ' ') > 0;
CREATE INDEX orders_by_last_name
  ON orders (
    merchant_number,
    lower(substr(customer_full_name, length(rtrim(customer_full_name, replace(customer_full_name, ' ', ''))) + 1))
  )
  WHERE strpos(substr(customer_full_name, strpos(customer_full_name, ' ') + 1), ' ') > 0;

CREATE INDEX orders_by_amount ON orders (merchant_number, currency, (chr(length(amount) + 40) || amount));
CREATE INDEX orders_of_product ON orders (product_id) WHERE product_id IS NOT NULL;
CREATE INDEX orders_by_method ON orders (merchant_number, chosen_method, created_at, id)
  WHERE chosen_method IS NOT NULL;
CREATE INDEX orders_by_asset ON orders (merchant_number, chosen_asset, created_at, id)
  WHERE chosen_asset IS NOT NULL;

CREATE INDEX orders_forced ON orders (merchant_id, forced_at, id) WHERE forced_at IS NOT NULL;
CREATE INDEX orders_by_payment_state ON orders (merchant_number, payment_state, created_at, id)
  WHERE payment_state IS NOT NULL;
CREATE INDEX orders_refunded ON orders (merchant_number, created_at, id) WHERE refund_status IS NOT NULL;

CREATE INDEX orders_abandoned ON orders (expires_at, id) WHERE source = 'web' AND status = 'EXPIRED';

CREATE TRIGGER orders_final_status BEFORE UPDATE OF status ON orders FOR EACH ROW
WHEN (NEW.status <> OLD.status AND (OLD.status IN ('PAID', 'CANCELLED') OR OLD.status = 'FAILED'))
EXECUTE FUNCTION refuse_change('the status of a PAID, CANCELLED or FAILED order cannot change');

CREATE TABLE order_notes (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (id),
  actor TEXT COLLATE "C" NOT NULL CHECK (actor = 'cli' OR actor ~ '^key:..*$' OR actor ~ '^user:..*$'),
  text TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX order_notes_of_order ON order_notes (order_id, created_at, id);

CREATE TABLE saved_views (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  user_id TEXT COLLATE "C" NOT NULL,
  page TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  query TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  UNIQUE (user_id, merchant_id, page, name)
);

CREATE TABLE attempts (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (id),
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('redirect', 'address')),
  provider TEXT COLLATE "C",
  method_key TEXT COLLATE "C" NOT NULL,
  method_name TEXT COLLATE "C" NOT NULL,
  asset_id TEXT COLLATE "C",
  decimals BIGINT,
  due_atomic TEXT COLLATE "C",
  threshold_atomic TEXT COLLATE "C",
  priced TEXT COLLATE "C" NOT NULL,
  floor_atomic TEXT COLLATE "C" NOT NULL,
  page_share BIGINT,
  dust_atomic TEXT COLLATE "C" NOT NULL,
  tolerance TEXT COLLATE "C" NOT NULL,
  dust TEXT COLLATE "C" NOT NULL,
  rate TEXT COLLATE "C",
  rate_sources TEXT COLLATE "C" NOT NULL CHECK (rate_sources::json IS NOT NULL),
  rate_at BIGINT,
  address TEXT COLLATE "C",
  shared BIGINT NOT NULL CHECK (shared IN (0, 1)),
  payout_address TEXT COLLATE "C",
  address_source TEXT COLLATE "C" CHECK (address_source IS NULL OR address_source::json IS NOT NULL),
  required_endpoints BIGINT NOT NULL CHECK (required_endpoints BETWEEN 1 AND 2),
  payment_uri TEXT COLLATE "C",
  redirect_url TEXT COLLATE "C",
  callback_url TEXT COLLATE "C",
  callback_secret TEXT COLLATE "C",
  provider_ref TEXT COLLATE "C",
  fee_split BIGINT NOT NULL CHECK (fee_split IN (0, 1)),
  locked_until BIGINT NOT NULL,
  grace_until BIGINT NOT NULL,
  grace_limit BIGINT NOT NULL,
  mined_within_ms BIGINT NOT NULL,
  blind_ms BIGINT NOT NULL,
  watch_until BIGINT NOT NULL,
  refund_address TEXT COLLATE "C",
  language TEXT COLLATE "C" NOT NULL DEFAULT 'en',
  state TEXT COLLATE "C" NOT NULL
    CHECK (
      state IN ('waiting', 'underpaid') OR state IN ('confirming', 'settled')
      OR state IN ('expired', 'failed')
    ),
  received_atomic TEXT COLLATE "C" NOT NULL,
  confirmed_atomic TEXT COLLATE "C" NOT NULL,
  credited TEXT COLLATE "C" NOT NULL,
  settled_credit TEXT COLLATE "C" NOT NULL,
  awaited TEXT COLLATE "C",
  vanished_at BIGINT,
  confirmations BIGINT,
  required_confirmations BIGINT,
  cursor TEXT COLLATE "C" CHECK (cursor IS NULL OR cursor::json IS NOT NULL),
  checked_at BIGINT,
  reclaimed_at BIGINT,
  chosen_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX attempts_of_order ON attempts (order_id, created_at, id);

CREATE UNIQUE INDEX own_addresses ON attempts (address) WHERE shared = 0 AND reclaimed_at IS NULL;
CREATE INDEX shared_addresses ON attempts (address, asset_id, due_atomic) WHERE shared = 1;

CREATE INDEX attempts_by_address ON attempts (lower(address)) WHERE address IS NOT NULL;
CREATE INDEX waiting_attempts ON attempts (merchant_id, locked_until) WHERE state = 'waiting';

CREATE INDEX attempts_by_page_share ON attempts (provider, method_key, asset_id, length(due_atomic), created_at, due_atomic) WHERE page_share IS NOT NULL;
CREATE INDEX attempts_by_reference ON attempts (provider, provider_ref) WHERE provider_ref IS NOT NULL;

CREATE TABLE elsewhere (
  attempt_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES attempts (id),
  asked_at BIGINT,
  chains TEXT COLLATE "C" NOT NULL CHECK (chains::json IS NOT NULL)
);

CREATE TABLE incoming_payments (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  attempt_id TEXT COLLATE "C" NOT NULL REFERENCES attempts (id),
  order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (id),
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  source TEXT COLLATE "C" NOT NULL,
  tx_id TEXT COLLATE "C" NOT NULL,
  tx_index TEXT COLLATE "C" NOT NULL,
  asset_id TEXT COLLATE "C" NOT NULL,
  amount_atomic TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('seen', 'final') OR state = 'gone'),
  settles BIGINT NOT NULL CHECK (settles IN (0, 1)),
  confirmations BIGINT NOT NULL,
  height BIGINT,
  tx_in TEXT COLLATE "C",
  tx_out TEXT COLLATE "C",
  paid_at BIGINT NOT NULL,
  seen TEXT COLLATE "C" NOT NULL CHECK (seen::json IS NOT NULL),
  mined_at BIGINT,
  inputs TEXT COLLATE "C" NOT NULL CHECK (inputs::json IS NOT NULL),
  evidence TEXT COLLATE "C" NOT NULL CHECK (evidence::json IS NOT NULL),
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (attempt_id, source, tx_id, tx_index)
);
CREATE INDEX incoming_payments_of_attempt ON incoming_payments (attempt_id);
CREATE INDEX incoming_payments_of_order ON incoming_payments (order_id);
CREATE INDEX incoming_payments_by_tx ON incoming_payments (tx_id);
CREATE INDEX incoming_payments_by_tx_in ON incoming_payments (tx_in) WHERE tx_in IS NOT NULL;
CREATE INDEX incoming_payments_by_tx_out ON incoming_payments (tx_out) WHERE tx_out IS NOT NULL;

CREATE TABLE transactions (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  order_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES orders (id),
  attempt_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES attempts (id),
  transaction_ref TEXT COLLATE "C",
  method_key TEXT COLLATE "C" NOT NULL,
  amount TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  fee_percent TEXT COLLATE "C" NOT NULL,
  fee_amount TEXT COLLATE "C" NOT NULL,
  net_amount TEXT COLLATE "C" NOT NULL,
  fee_collection TEXT COLLATE "C" NOT NULL CHECK (fee_collection IN ('PROVIDER_SPLIT', 'ACCOUNTED_NOT_COLLECTED')),
  receiving_wallet TEXT COLLATE "C" NOT NULL,
  received_amount TEXT COLLATE "C" NOT NULL,
  received_currency TEXT COLLATE "C" NOT NULL,
  tx_in TEXT COLLATE "C",
  tx_out TEXT COLLATE "C",
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('PAID', 'PARTIALLY_REFUNDED') OR status = 'REFUNDED'),
  refund_status TEXT COLLATE "C" CHECK (refund_status IN ('PARTIAL', 'FULL')),
  refunded_amount TEXT COLLATE "C",
  refund_count BIGINT NOT NULL DEFAULT 0,
  last_refunded_at BIGINT,
  refunded_at BIGINT,
  paid_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX transactions_of_merchant ON transactions (merchant_id, created_at, id);
CREATE INDEX transactions_by_tx_out ON transactions (tx_out) WHERE tx_out IS NOT NULL;
CREATE INDEX transactions_by_status ON transactions (merchant_id, status, created_at, id);

CREATE TABLE settlements (
  order_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES orders (id),
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  attempt_id TEXT COLLATE "C" NOT NULL REFERENCES attempts (id),
  transaction_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES transactions (id),
  verdict TEXT COLLATE "C" NOT NULL
    CHECK (verdict IN ('exact', 'short') OR verdict IN ('over', 'late') OR verdict = 'accepted'),
  rule TEXT COLLATE "C" NOT NULL,
  evidence TEXT COLLATE "C" NOT NULL CHECK (evidence::json IS NOT NULL),
  created_at BIGINT NOT NULL
);
CREATE INDEX settlements_of_attempt ON settlements (attempt_id);
CREATE TRIGGER settlements_no_update BEFORE UPDATE OF order_id, merchant_id, attempt_id, transaction_id, verdict, created_at ON settlements FOR EACH ROW
EXECUTE FUNCTION refuse_change('settlements cannot be changed');

CREATE TRIGGER settlements_erase BEFORE UPDATE OF rule, evidence ON settlements FOR EACH ROW
WHEN (coalesce(NEW.rule, '') || coalesce(NEW.evidence, '') NOT LIKE '%@erased.invalid%')
EXECUTE FUNCTION refuse_change('settlements cannot be changed');
CREATE TRIGGER settlements_no_delete BEFORE DELETE ON settlements FOR EACH ROW
EXECUTE FUNCTION refuse_change('settlements cannot be deleted');

CREATE TABLE unmatched_payments (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (id),
  attempt_id TEXT COLLATE "C" NOT NULL REFERENCES attempts (id),
  incoming_payment_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES incoming_payments (id),
  reason TEXT COLLATE "C" NOT NULL
    CHECK (
      reason IN ('wrong_asset', 'underpaid') OR reason IN ('late', 'second_payment')
      OR reason IN ('order_closed', 'too_late')
    ),
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('open', 'resolved') OR status = 'accepted'),
  value TEXT COLLATE "C",
  shortfall TEXT COLLATE "C",
  note TEXT COLLATE "C",
  decided_by TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX unmatched_by_status ON unmatched_payments (merchant_id, status, created_at, id);
CREATE INDEX unmatched_of_merchant ON unmatched_payments (merchant_id, created_at, id);
CREATE INDEX unmatched_of_attempt ON unmatched_payments (attempt_id);
CREATE INDEX unmatched_of_order ON unmatched_payments (order_id);

CREATE TABLE refunds (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (id),
  transaction_id TEXT COLLATE "C" NOT NULL REFERENCES transactions (id),
  amount TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  method_key TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  created_by TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX refunds_of_order ON refunds (order_id, created_at, id);
CREATE INDEX refunds_of_merchant ON refunds (merchant_id, created_at, id);
CREATE TRIGGER refunds_no_update BEFORE UPDATE OF id, merchant_id, order_id, transaction_id, amount, currency, method_key, created_at ON refunds FOR EACH ROW
EXECUTE FUNCTION refuse_change('refunds cannot be changed');

CREATE TRIGGER refunds_erase BEFORE UPDATE OF reason, created_by ON refunds FOR EACH ROW
WHEN (coalesce(NEW.reason, '') || coalesce(NEW.created_by, '') NOT LIKE '%@erased.invalid%')
EXECUTE FUNCTION refuse_change('refunds cannot be changed');
CREATE TRIGGER refunds_no_delete BEFORE DELETE ON refunds FOR EACH ROW
EXECUTE FUNCTION refuse_change('refunds cannot be deleted');

CREATE TABLE notifications (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  kind TEXT COLLATE "C" NOT NULL,
  order_id TEXT COLLATE "C" REFERENCES orders (id),
  facts TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX notifications_of_merchant ON notifications (merchant_id, created_at, id);
CREATE INDEX notifications_of_order ON notifications (order_id, created_at, id) WHERE order_id IS NOT NULL;

CREATE TABLE new_notifications (
  notification_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES notifications (id)
);

CREATE TABLE notification_sends (
  notification_id TEXT COLLATE "C" NOT NULL REFERENCES notifications (id),
  recipient TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'sent') OR status = 'given_up'),
  channel TEXT COLLATE "C" CHECK (channel IN ('mail', 'https') OR channel IN ('ntfy', 'telegram')),
  sent_at BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (notification_id, recipient),
  CHECK ((status = 'sent') = (sent_at IS NOT NULL))
);
CREATE INDEX pending_sends ON notification_sends (recipient, created_at, notification_id) WHERE status = 'pending';

CREATE TABLE notification_recipients (
  recipient TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  not_before BIGINT NOT NULL,
  last_sent_at BIGINT,
  failing_since BIGINT,
  failures BIGINT NOT NULL,
  fault TEXT COLLATE "C"
);

CREATE TABLE person_channels (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  name TEXT COLLATE "C" NOT NULL CHECK (name IN ('mail', 'https') OR name IN ('ntfy', 'telegram')),
  url TEXT COLLATE "C" NOT NULL,
  topic TEXT COLLATE "C" NOT NULL,
  secret TEXT COLLATE "C",
  muted TEXT COLLATE "C" NOT NULL CHECK (muted::json IS NOT NULL),
  digest_hour BIGINT CHECK (digest_hour BETWEEN 0 AND 23),
  digested_until BIGINT,
  verified_at BIGINT,
  code_hash TEXT COLLATE "C",
  code_sent_at BIGINT,
  code_tries BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  CHECK ((name = 'mail') = (url = ''))
);
CREATE INDEX person_channels_of_user ON person_channels (user_id, merchant_id, created_at, id);
CREATE INDEX person_channels_of_merchant ON person_channels (merchant_id, created_at, id) WHERE verified_at IS NOT NULL;

CREATE TABLE buyer_mails (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (id),
  kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('link', 'receipt')),
  mailbox TEXT COLLATE "C" NOT NULL,
  language TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'sent') OR status = 'given_up'),
  failures BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX buyer_mails_of_order ON buyer_mails (order_id, kind);
CREATE INDEX buyer_mails_of_mailbox ON buyer_mails (mailbox, kind, created_at);

CREATE TABLE outages (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  since BIGINT NOT NULL,
  notified_at BIGINT
);

CREATE TABLE blind_chains (
  chain TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  since BIGINT NOT NULL,
  failed_at BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  read_at BIGINT,
  notified TEXT COLLATE "C" NOT NULL CHECK (notified::json IS NOT NULL)
);

CREATE TABLE audit_log (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" REFERENCES merchants (id),
  at BIGINT NOT NULL,
  actor TEXT COLLATE "C" NOT NULL CHECK (actor = 'cli' OR actor ~ '^key:..*$' OR actor ~ '^user:..*$'),
  action TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  before TEXT COLLATE "C" CHECK (before IS NULL OR before::json IS NOT NULL),
  after TEXT COLLATE "C" CHECK (after IS NULL OR after::json IS NOT NULL),
  request_id TEXT COLLATE "C"
);
CREATE INDEX audit_of_merchant ON audit_log (merchant_id, at, id);
CREATE INDEX audit_of_subject ON audit_log (subject, at, id);
CREATE TRIGGER audit_log_no_update BEFORE UPDATE OF id, merchant_id, at, actor, action, request_id ON audit_log FOR EACH ROW
EXECUTE FUNCTION refuse_change('the audit log cannot be changed');

CREATE TRIGGER audit_log_erase BEFORE UPDATE OF subject, before, after ON audit_log FOR EACH ROW
WHEN (coalesce(NEW.subject, '') || coalesce(NEW.before, '') || coalesce(NEW.after, '') NOT LIKE '%@erased.invalid%')
EXECUTE FUNCTION refuse_change('the audit log cannot be changed');
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log FOR EACH ROW
EXECUTE FUNCTION refuse_change('the audit log cannot be deleted');

CREATE TABLE events (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (id),
  type TEXT COLLATE "C" NOT NULL,
  body TEXT COLLATE "C" NOT NULL CHECK (body::json IS NOT NULL),
  created_at BIGINT NOT NULL
);
CREATE INDEX events_of_merchant ON events (merchant_id, created_at, id);
CREATE INDEX events_by_type ON events (merchant_id, type, created_at, id);
CREATE INDEX events_of_order ON events (order_id, created_at, id);
CREATE UNIQUE INDEX one_order_paid ON events (order_id) WHERE type = 'order.paid';
CREATE TRIGGER events_no_update BEFORE UPDATE OF id, merchant_id, order_id, type, created_at ON events FOR EACH ROW
EXECUTE FUNCTION refuse_change('events cannot be changed');

CREATE TRIGGER events_erase BEFORE UPDATE OF body ON events FOR EACH ROW
WHEN (coalesce(NEW.body, '') NOT LIKE '%@erased.invalid%')
EXECUTE FUNCTION refuse_change('events cannot be changed');

CREATE TABLE deliveries (
  event_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES events (id),
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  type TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'delivered') OR status = 'failed'),
  next_attempt_at BIGINT,
  tries TEXT COLLATE "C" NOT NULL CHECK (tries::json IS NOT NULL),
  first_tried_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  CHECK (status = 'pending' OR next_attempt_at IS NULL)
);
CREATE INDEX deliveries_parked ON deliveries (merchant_id, type, created_at)
  WHERE status <> 'delivered' AND next_attempt_at IS NULL;
CREATE INDEX deliveries_by_status ON deliveries (merchant_id, status, created_at, event_id);

CREATE INDEX deliveries_with_tries ON deliveries (updated_at) WHERE status = 'delivered' AND tries <> '[]';
CREATE INDEX deliveries_by_type ON deliveries (merchant_id, type, status, created_at, event_id);

CREATE TABLE jobs (
  kind TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  lane TEXT COLLATE "C" NOT NULL,
  priority BIGINT NOT NULL CHECK (priority BETWEEN 0 AND 3),
  due_at BIGINT NOT NULL,
  lease TEXT COLLATE "C",
  tries BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, subject)
);
CREATE INDEX jobs_due ON jobs (due_at, lane);
CREATE INDEX jobs_by_lane ON jobs (lane, priority, due_at);

CREATE TABLE idempotency_keys (
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  operation TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  request_hash TEXT COLLATE "C" NOT NULL,
  resource_id TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, operation, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (operation, created_at);

CREATE TABLE statistics (
  merchant_number BIGINT NOT NULL REFERENCES merchants (number),
  currency TEXT COLLATE "C" NOT NULL,
  minutes BIGINT NOT NULL CHECK (minutes IN (15, 1440)),
  starts_at BIGINT NOT NULL CHECK (starts_at % (minutes * 60000) = 0),
  gross TEXT COLLATE "C" NOT NULL,
  net TEXT COLLATE "C" NOT NULL,
  refunded TEXT COLLATE "C" NOT NULL,
  paid_count BIGINT NOT NULL,
  refunded_count BIGINT NOT NULL,
  pending TEXT COLLATE "C" NOT NULL,
  cancelled TEXT COLLATE "C" NOT NULL,
  forced TEXT COLLATE "C" NOT NULL,
  pending_count BIGINT NOT NULL,
  created_count BIGINT NOT NULL,
  converted_count BIGINT NOT NULL,
  deleted_count BIGINT NOT NULL,
  cancelled_count BIGINT NOT NULL,
  forced_count BIGINT NOT NULL,
  PRIMARY KEY (merchant_number, minutes, currency, starts_at)
);

CREATE TABLE method_statistics (
  merchant_number BIGINT NOT NULL REFERENCES merchants (number),
  currency TEXT COLLATE "C" NOT NULL,
  minutes BIGINT NOT NULL CHECK (minutes IN (15, 1440)),
  starts_at BIGINT NOT NULL CHECK (starts_at % (minutes * 60000) = 0),
  method_key TEXT COLLATE "C" NOT NULL,
  asset_id TEXT COLLATE "C" NOT NULL,
  gross TEXT COLLATE "C" NOT NULL,
  net TEXT COLLATE "C" NOT NULL,
  refunded TEXT COLLATE "C" NOT NULL,
  paid_count BIGINT NOT NULL,
  refunded_count BIGINT NOT NULL,
  PRIMARY KEY (merchant_number, minutes, currency, starts_at, method_key, asset_id)
);

CREATE TABLE statistic_changes (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  currency TEXT COLLATE "C" NOT NULL,
  starts_at BIGINT NOT NULL,
  method_key TEXT COLLATE "C",
  asset_id TEXT COLLATE "C",
  delta TEXT COLLATE "C" NOT NULL CHECK (delta::json IS NOT NULL)
);
CREATE INDEX statistic_changes_of_merchant ON statistic_changes (merchant_id, currency, starts_at);

CREATE TABLE payout_checks (
  chain TEXT COLLATE "C" NOT NULL,
  address TEXT COLLATE "C" NOT NULL,
  is_contract BIGINT NOT NULL CHECK (is_contract IN (0, 1)),
  coin_refusal TEXT COLLATE "C",
  checked_at BIGINT NOT NULL,
  PRIMARY KEY (address, chain)
);

CREATE TABLE catalogues (
  provider TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  methods TEXT COLLATE "C" NOT NULL CHECK (methods::json IS NOT NULL),
  fetched_at BIGINT NOT NULL
);

CREATE TABLE watched_rates (
  asset_id TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  watched_until BIGINT NOT NULL,
  locked_until BIGINT NOT NULL,
  PRIMARY KEY (asset_id, currency)
);

CREATE TABLE rates (
  asset_id TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  sources TEXT COLLATE "C" NOT NULL CHECK (sources::json IS NOT NULL),
  PRIMARY KEY (asset_id, currency, at)
);
CREATE INDEX rates_by_time ON rates (at);

CREATE TABLE fetched_rates (
  source TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  prices TEXT COLLATE "C" CHECK (prices IS NULL OR prices::json IS NOT NULL),
  fetched_at BIGINT,
  asked_until BIGINT NOT NULL
);

CREATE TABLE chain_scans (
  chain TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  began_at BIGINT NOT NULL,
  leased_until BIGINT
);

CREATE TABLE asked_checks (
  chain TEXT COLLATE "C" NOT NULL,
  attempt_id TEXT COLLATE "C" NOT NULL,
  is_locked BIGINT NOT NULL CHECK (is_locked IN (0, 1)),
  asked_at BIGINT NOT NULL,
  PRIMARY KEY (chain, attempt_id)
);

CREATE TABLE coin_catalogues (
  provider TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  coins TEXT COLLATE "C" NOT NULL CHECK (coins::json IS NOT NULL),
  fetched_at BIGINT NOT NULL
);

CREATE TABLE users (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  email TEXT COLLATE "C" NOT NULL,
  email_key TEXT COLLATE "C" NOT NULL UNIQUE,
  is_operator BIGINT NOT NULL CHECK (is_operator IN (0, 1)),
  password_hash TEXT COLLATE "C",
  language TEXT COLLATE "C",
  suspended_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE memberships (
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  role TEXT COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'staff') OR role = 'owner'),
  created_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, merchant_id)
);
CREATE INDEX members_of_merchant ON memberships (merchant_id, created_at, user_id);

CREATE TABLE logins (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
  merchant_id TEXT COLLATE "C" REFERENCES merchants (id),
  authenticated_at BIGINT NOT NULL,
  user_agent TEXT COLLATE "C" NOT NULL,
  address TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL
);
CREATE INDEX logins_of_user ON logins (user_id, last_seen_at, id);

CREATE TABLE user_links (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  purpose TEXT COLLATE "C" NOT NULL CHECK (purpose IN ('first', 'password') OR purpose = 'enter'),
  user_id TEXT COLLATE "C" REFERENCES users (id),
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  CHECK ((purpose = 'first') = (user_id IS NULL))
);
CREATE INDEX links_of_user ON user_links (user_id);

CREATE TABLE setup_skips (
  merchant_id TEXT COLLATE "C" NOT NULL REFERENCES merchants (id),
  step TEXT COLLATE "C" NOT NULL
    CHECK (step IN ('shop', 'payouts') OR step IN ('webhook', 'product') OR step = 'payment'),
  skipped_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, step)
);

CREATE TABLE second_factors (
  user_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES users (id),
  secret TEXT COLLATE "C",
  confirmed_at BIGINT,
  last_step BIGINT NOT NULL
);

CREATE TABLE known_browsers (
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
  hash TEXT COLLATE "C" NOT NULL,
  seen_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, hash)
);

CREATE TABLE passkeys (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
  name TEXT COLLATE "C" NOT NULL,
  public_key TEXT COLLATE "C" NOT NULL,
  sign_count BIGINT NOT NULL,
  transports TEXT COLLATE "C" NOT NULL CHECK (transports::json IS NOT NULL),
  created_at BIGINT NOT NULL,
  last_used_at BIGINT
);
CREATE INDEX passkeys_of_user ON passkeys (user_id, created_at, id);

CREATE TABLE passkey_challenges (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  user_id TEXT COLLATE "C" REFERENCES users (id),
  expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_challenges_by_time ON passkey_challenges (expires_at, id);

CREATE TABLE recovery_codes (
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
  hash TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (user_id, hash)
);

CREATE TABLE half_logins (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
  expires_at BIGINT NOT NULL
);
CREATE INDEX half_logins_of_user ON half_logins (user_id);

CREATE TABLE payment_mails (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  order_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  mailbox_hash TEXT COLLATE "C" NOT NULL,
  language TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'sent') OR status = 'given_up'),
  failures BIGINT NOT NULL,
  news BIGINT NOT NULL,
  due_at BIGINT NOT NULL
);
CREATE INDEX payment_mails_of_order ON payment_mails (order_id, due_at, id);
CREATE INDEX payment_mails_of_mailbox ON payment_mails (mailbox_hash, due_at);

-- These tables refer to tables that are made after them.
ALTER TABLE orders ADD FOREIGN KEY (transaction_id) REFERENCES transactions (id);
ALTER TABLE person_channels ADD FOREIGN KEY (user_id) REFERENCES users (id);

-- The customer of an order is not a foreign key. A reference is checked by looking for the other row. In a
-- serializable transaction, such a look conflicts with everybody who inserts near that place of the index, so the
-- orders of new customers would conflict with each other. Triggers keep this reference instead. The first one tries
-- to insert the customer again, which finds the row without looking for it in that sense.
CREATE FUNCTION require_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO customers (id, merchant_id, email, email_key, created_at)
  VALUES (NEW.customer_id, NEW.merchant_id, '', '', 0) ON CONFLICT (id) DO NOTHING;
  IF FOUND THEN
    RAISE EXCEPTION 'an order needs its customer' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION keep_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM orders WHERE customer_id = OLD.id) THEN
    RAISE EXCEPTION 'a customer with orders cannot be deleted' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER orders_customer BEFORE INSERT OR UPDATE OF customer_id ON orders FOR EACH ROW
EXECUTE FUNCTION require_customer();
CREATE TRIGGER customers_of_orders BEFORE DELETE OR UPDATE OF id ON customers FOR EACH ROW
EXECUTE FUNCTION keep_customer();
