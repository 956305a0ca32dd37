-- Conventions:
--   *_at columns are milliseconds since 1970-01-01 UTC.
--   Amounts of money are decimal strings, such as '25.00'.
--   Amounts in the smallest unit of an asset, and the sums of statistics, are integers as text: they can exceed 64 bits.
--   Flags are 0 or 1. Columns that contain JSON have a json_valid CHECK.
--   A CHECK or trigger compares with at most two values by IN: for a longer list, SQLite fills a table each time.
--   Older versions of SQLite, such as 3.40, reject json_valid(NULL). So the CHECK of a nullable column allows NULL.

-- Rows that the readiness check writes to see whether the disk has space.
CREATE TABLE write_probes (
  id INTEGER NOT NULL PRIMARY KEY,
  padding BLOB NOT NULL
) STRICT;

-- One row: how many commits have changed something. A file beside the database knows the same number.
CREATE TABLE commits (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  count INTEGER NOT NULL
) STRICT;
INSERT INTO commits (id, count) VALUES (1, 0);

-- One row, written by the first server: whether the payments are simulated or real.
CREATE TABLE installation (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  mode TEXT NOT NULL CHECK (mode IN ('sandbox', 'live')),
  decided_at INTEGER NOT NULL,
  -- with PostgreSQL: when the operator last recorded a backup
  backed_up_at INTEGER
) STRICT;

-- One row: how far the deletion of old rows has come. It follows a clock that leaps ahead only slowly.
CREATE TABLE retention_progress (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  -- by the clock of the server that ran it
  ran_at INTEGER NOT NULL,
  -- the time by which rows were too old
  reached_at INTEGER NOT NULL
) STRICT;

-- Endpoints that an operator chose in the dashboard. They count while the settings name none for their chain.
CREATE TABLE chosen_endpoints (
  id TEXT NOT NULL PRIMARY KEY,
  chain TEXT NOT NULL,
  -- the endpoints of a chain are tried in this order
  position INTEGER NOT NULL,
  protocol TEXT NOT NULL,
  url TEXT NOT NULL,
  -- the name and value of a header with a key
  header TEXT CHECK (header IS NULL OR json_valid(header)),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Exchange rate sources that an operator chose in the dashboard. They count while FLORIN_RATES is empty.
CREATE TABLE chosen_rate_sources (
  name TEXT NOT NULL PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE merchants (
  -- stands for the merchant in the indexes of orders, where the ID would be half of each entry
  number INTEGER NOT NULL PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  -- the address in lower case
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  fee_percent TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
  return_url TEXT,
  support_email TEXT,
  support_url TEXT,
  terms_url TEXT,
  privacy_url TEXT,
  -- of buttons and links, such as "#14614a"
  color TEXT CHECK (color GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'),
  -- the id of an image, with its width and height
  logo TEXT CHECK (logo IS NULL OR json_valid(logo)),
  -- whether search engines may list the pages of products
  searchable INTEGER NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1)),
  -- whether buyers get a link to their order and a receipt by mail
  receipts INTEGER NOT NULL DEFAULT 0 CHECK (receipts IN (0, 1)),
  -- whether buyers get mails about parts, late and superfluous payments, refunds and payments that vanished; NULL if
  -- they get them where they get receipts
  payment_mails INTEGER,
  -- whose addresses buyers pay coins to first, if both are available
  crypto_first TEXT NOT NULL DEFAULT 'own' CHECK (crypto_first IN ('own', 'provider')),
  -- the percentage that may be missing from a payment of a coin
  tolerance TEXT NOT NULL DEFAULT '0.5',
  -- whether a late payment settles at its value then, or waits for the merchant
  late TEXT NOT NULL DEFAULT 'settle' CHECK (late IN ('settle', 'ask')),
  -- of the days, weeks and months of reports
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  -- what new orders and products are priced in, unless somebody chooses another; NULL if none was chosen yet
  currency TEXT,
  -- of messages to the shop's own address, and to people who have not chosen one
  language TEXT NOT NULL DEFAULT 'en',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- API keys. Only a hash of the secret is stored.
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
  last_used_at INTEGER,
  -- the key that was created in its place
  replaced_by TEXT REFERENCES keys (id)
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
CREATE INDEX customers_blocked ON customers (merchant_id, email_key) WHERE blocked_at IS NOT NULL;

-- The payout addresses of a merchant.
CREATE TABLE wallets (
  merchant_id TEXT NOT NULL PRIMARY KEY REFERENCES merchants (id),
  addresses TEXT NOT NULL CHECK (json_valid(addresses)),
  include_crypto INTEGER NOT NULL CHECK (include_crypto IN (0, 1)),
  order_wallet_override INTEGER NOT NULL CHECK (order_wallet_override IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- The accounts that merchants have with providers that take charges. Only the provider's adapter reads the
-- credentials.
CREATE TABLE provider_accounts (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  provider TEXT NOT NULL,
  credentials TEXT NOT NULL CHECK (json_valid(credentials)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, provider)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhooks (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL UNIQUE REFERENCES merchants (id),
  url TEXT NOT NULL,
  events TEXT NOT NULL CHECK (json_valid(events)),
  status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
  secret TEXT NOT NULL,
  -- the former secret, which signs each delivery too until then
  previous_secret TEXT,
  previous_secret_until INTEGER,
  -- the first failure since the last success, and the number of failures since then
  failing_since INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  -- how many times the merchant was notified of these failures
  alerts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
) STRICT;

-- The sources of payment addresses that merchants set up: an account key, a Monero view key or a list of
-- addresses. A source is never deleted, because buyers may still pay to its addresses.
CREATE TABLE address_sources (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  network TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('xpub', 'viewkey') OR kind = 'pool'),
  key TEXT,
  script TEXT CHECK (script IN ('p2pkh', 'p2sh-p2wpkh') OR script IN ('p2wpkh', 'p2tr')),
  payout_address TEXT,
  next_index INTEGER NOT NULL CHECK (next_index >= 0),
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- when a restore last moved next_index past addresses that buyers may have been given
  skipped_at INTEGER,
  CHECK ((kind = 'pool') = (key IS NULL)),
  CHECK ((kind = 'viewkey') = (payout_address IS NOT NULL))
) STRICT;
CREATE INDEX address_sources_of_merchant ON address_sources (merchant_id, network);
CREATE UNIQUE INDEX one_active_source ON address_sources (merchant_id, network, kind) WHERE active = 1;
CREATE INDEX address_sources_skipped ON address_sources (skipped_at) WHERE skipped_at IS NOT NULL;
-- Two merchants with the same key would allocate the same addresses.
CREATE UNIQUE INDEX one_source_per_key ON address_sources (network, key) WHERE key IS NOT NULL;

-- The addresses of a pool, and the addresses of an account that have been allocated. An address is allocated
-- before its attempt is stored, so attempt_id is not a foreign key.
CREATE TABLE source_addresses (
  network TEXT NOT NULL,
  address TEXT NOT NULL,
  source_id TEXT NOT NULL REFERENCES address_sources (id),
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  -- the place in the pool, or the derivation index
  position INTEGER NOT NULL CHECK (position >= 0),
  attempt_id TEXT,
  allocated_at INTEGER,
  PRIMARY KEY (network, address),
  UNIQUE (source_id, position),
  CHECK ((attempt_id IS NULL) = (allocated_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX given_addresses ON source_addresses (attempt_id) WHERE attempt_id IS NOT NULL;
CREATE INDEX free_addresses ON source_addresses (source_id, position) WHERE attempt_id IS NULL;
CREATE TRIGGER source_addresses_no_delete BEFORE DELETE ON source_addresses
WHEN OLD.attempt_id IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'addresses that were given to buyers cannot be deleted'); END;

-- What arrived at addresses that a restore skipped. The orders of their buyers are lost.
CREATE TABLE skipped_payments (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  network TEXT NOT NULL,
  -- the derivation index
  position INTEGER NOT NULL CHECK (position >= 0),
  address TEXT NOT NULL,
  asset_id TEXT NOT NULL,
  decimals INTEGER NOT NULL,
  -- the most that an endpoint has reported
  amount_atomic TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'resolved')),
  note TEXT,
  decided_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (address, asset_id)
) STRICT;
CREATE INDEX skipped_payments_of_merchant ON skipped_payments (merchant_id, created_at, id);

-- Uploaded images: of products, and logos.
CREATE TABLE product_images (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  type TEXT NOT NULL CHECK (type IN ('image/png', 'image/jpeg') OR type IN ('image/webp', 'image/svg+xml')),
  bytes BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER product_images_no_update BEFORE UPDATE ON product_images
BEGIN SELECT RAISE(ABORT, 'product images cannot be changed'); END;

CREATE TABLE products (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  name TEXT NOT NULL,
  description TEXT,
  image_url TEXT,
  image_id TEXT REFERENCES product_images (id),
  image_display_size INTEGER NOT NULL CHECK (image_display_size BETWEEN 160 AND 512),
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  allow_price_override INTEGER NOT NULL CHECK (allow_price_override IN (0, 1)),
  amount TEXT NOT NULL,
  currency TEXT NOT NULL,
  method_keys TEXT NOT NULL CHECK (json_valid(method_keys)),
  metadata TEXT NOT NULL CHECK (json_valid(metadata)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (image_url IS NULL OR image_id IS NULL)
) STRICT;
CREATE INDEX products_of_merchant ON products (merchant_id, updated_at, id);

-- An order has copies of the customer's and the product's details, which can change later.
CREATE TABLE orders (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  merchant_number INTEGER NOT NULL,
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
  status TEXT NOT NULL
    CHECK (status IN ('UNPAID', 'PAID') OR status IN ('FAILED', 'EXPIRED') OR status = 'CANCELLED'),
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,

  -- the private checkout session
  session_status TEXT NOT NULL
    CHECK (
      session_status IN ('CREATED', 'PROVISIONING') OR session_status IN ('READY', 'FAILED')
      OR session_status IN ('SETTLED', 'EXPIRED') OR session_status = 'ABANDONED'
    ),
  session_updated_at INTEGER NOT NULL,

  -- how the buyer chose to pay the last time, or how the order was paid
  chosen_method TEXT,
  chosen_asset TEXT,
  -- what people have to know about its payments beside its status; NULL if there is nothing
  payment_state TEXT CHECK (payment_state IN ('CONFIRMING', 'PART_PAID') OR payment_state = 'OVERPAID'),
  -- when its page was first opened
  opened_at INTEGER,
  -- also of an order that was paid later
  expired_at INTEGER,

  -- set when the order is paid
  transaction_id TEXT REFERENCES transactions (id),
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
-- Has everything that people filter orders by, so that many are examined without reading their rows.
CREATE INDEX orders_of_merchant ON orders
  (
    merchant_number, created_at, id, status, chosen_method, chosen_asset, currency, amount, refund_count,
    payment_state
  );
CREATE INDEX orders_by_status ON orders (merchant_number, status, created_at, id);
CREATE INDEX orders_of_customer ON orders (customer_id, created_at);
-- Finds an ID in any case, or by how it begins, as the next one does with a name.
CREATE INDEX orders_by_external_id ON orders (merchant_number, lower(external_id), created_at, id)
  WHERE external_id IS NOT NULL;
CREATE INDEX orders_by_name ON orders (merchant_number, lower(customer_full_name))
  WHERE customer_full_name <> '';
-- The same for the words of a name: what comes after its first space, and its last word if it has more spaces.
CREATE INDEX orders_by_second_name
  ON orders (merchant_number, lower(substr(customer_full_name, instr(customer_full_name, ' ') + 1)))
  WHERE instr(customer_full_name, ' ') > 0;
CREATE INDEX orders_by_last_name
  ON orders (
    merchant_number,
    lower(substr(customer_full_name, length(rtrim(customer_full_name, replace(customer_full_name, ' ', ''))) + 1))
  )
  WHERE instr(substr(customer_full_name, instr(customer_full_name, ' ') + 1), ' ') > 0;
-- The longer of two amounts in a currency is the larger one.
CREATE INDEX orders_by_amount ON orders (merchant_number, currency, (char(length(amount) + 40) || amount));
CREATE INDEX orders_of_product ON orders (product_id) WHERE product_id IS NOT NULL;
CREATE INDEX orders_by_method ON orders (merchant_number, chosen_method, created_at, id)
  WHERE chosen_method IS NOT NULL;
CREATE INDEX orders_by_asset ON orders (merchant_number, chosen_asset, created_at, id)
  WHERE chosen_asset IS NOT NULL;
-- Orders that somebody marked as paid, for the export for accounts.
CREATE INDEX orders_forced ON orders (merchant_id, forced_at, id) WHERE forced_at IS NOT NULL;
CREATE INDEX orders_by_payment_state ON orders (merchant_number, payment_state, created_at, id)
  WHERE payment_state IS NOT NULL;
CREATE INDEX orders_refunded ON orders (merchant_number, created_at, id) WHERE refund_status IS NOT NULL;
-- Orders of the public form that may be deleted one day.
CREATE INDEX orders_abandoned ON orders (expires_at, id) WHERE source = 'web' AND status = 'EXPIRED';
-- An EXPIRED order can still become PAID by a late payment.
CREATE TRIGGER orders_final_status BEFORE UPDATE OF status ON orders
WHEN NEW.status <> OLD.status AND (OLD.status IN ('PAID', 'CANCELLED') OR OLD.status = 'FAILED')
BEGIN SELECT RAISE(ABORT, 'the status of a PAID, CANCELLED or FAILED order cannot change'); END;

-- What people wrote about an order, for each other.
CREATE TABLE order_notes (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  order_id TEXT NOT NULL REFERENCES orders (id),
  -- as in the audit log
  actor TEXT NOT NULL CHECK (actor = 'cli' OR actor GLOB 'key:?*' OR actor GLOB 'user:?*'),
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX order_notes_of_order ON order_notes (order_id, created_at, id);

-- Filters of a list that a person named, as the query string of its page.
CREATE TABLE saved_views (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  user_id TEXT NOT NULL,
  -- the list, such as 'orders'
  page TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (user_id, merchant_id, page, name)
) STRICT;

-- An attempt to pay an order: an address that a buyer pays coins to, or a payment page of a provider.
CREATE TABLE attempts (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  order_id TEXT NOT NULL REFERENCES orders (id),
  kind TEXT NOT NULL CHECK (kind IN ('redirect', 'address')),
  provider TEXT,
  method_key TEXT NOT NULL,
  method_name TEXT NOT NULL,
  -- these four are null until a provider has opened its page
  asset_id TEXT,
  decimals INTEGER,
  due_atomic TEXT,
  threshold_atomic TEXT,
  -- what was left of the order when it was opened
  priced TEXT NOT NULL,
  -- the same where nothing can be asked for the rest
  floor_atomic TEXT NOT NULL,
  -- what arrived through a provider's page, in millionths of what was due, where it shows the usual fee
  page_share INTEGER,
  -- a rest below this is not asked for
  dust_atomic TEXT NOT NULL,
  -- how much of the order may stay unpaid, and what rest of it is not asked for, in units of value
  tolerance TEXT NOT NULL,
  dust TEXT NOT NULL,
  rate TEXT,
  rate_sources TEXT NOT NULL CHECK (json_valid(rate_sources)),
  rate_at INTEGER,
  address TEXT,
  -- whether the address is the payout wallet itself, where the exact amount identifies the payment
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  payout_address TEXT,
  address_source TEXT CHECK (address_source IS NULL OR json_valid(address_source)),
  -- how many endpoints must report a payment
  required_endpoints INTEGER NOT NULL CHECK (required_endpoints BETWEEN 1 AND 2),
  payment_uri TEXT,
  redirect_url TEXT,
  callback_url TEXT,
  callback_secret TEXT,
  provider_ref TEXT,
  fee_split INTEGER NOT NULL CHECK (fee_split IN (0, 1)),
  locked_until INTEGER NOT NULL,
  -- until when a payment counts as in time
  grace_until INTEGER NOT NULL,
  grace_limit INTEGER NOT NULL,
  -- how long after the lock a payment that was seen in time may be mined
  mined_within_ms INTEGER NOT NULL,
  -- how long its chain could not be read
  blind_ms INTEGER NOT NULL,
  watch_until INTEGER NOT NULL,
  -- where the buyer wants to be refunded to
  refund_address TEXT,
  -- the language of the page on which the buyer opened it
  language TEXT NOT NULL DEFAULT 'en',
  state TEXT NOT NULL
    CHECK (
      state IN ('waiting', 'underpaid') OR state IN ('confirming', 'settled')
      OR state IN ('expired', 'failed')
    ),
  received_atomic TEXT NOT NULL,
  confirmed_atomic TEXT NOT NULL,
  -- what the order is credited for it, and what waits for the merchant, in units of value
  credited TEXT NOT NULL,
  settled_credit TEXT NOT NULL,
  awaited TEXT,
  -- when a payment that nothing replaced left its chain
  vanished_at INTEGER,
  confirmations INTEGER,
  required_confirmations INTEGER,
  -- where the next scan of the chain continues
  cursor TEXT CHECK (cursor IS NULL OR json_valid(cursor)),
  checked_at INTEGER,
  -- when the operator gave the address back to its pool: it may belong to a later attempt now
  reclaimed_at INTEGER,
  -- when the buyer last chose it
  chosen_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX attempts_of_order ON attempts (order_id, created_at, id);
-- An address belongs to one attempt, except the payout wallet, which attempts with different amounts share.
CREATE UNIQUE INDEX own_addresses ON attempts (address) WHERE shared = 0 AND reclaimed_at IS NULL;
CREATE INDEX shared_addresses ON attempts (address, asset_id, due_atomic) WHERE shared = 1;
-- Finds an address in any case.
CREATE INDEX attempts_by_address ON attempts (lower(address)) WHERE address IS NOT NULL;
CREATE INDEX waiting_attempts ON attempts (merchant_id, locked_until) WHERE state = 'waiting';
-- Amounts with equally many digits are in the order of their texts. With the amount itself, no row of another one is read.
CREATE INDEX attempts_by_page_share ON attempts (provider, method_key, asset_id, length(due_atomic), created_at, due_atomic) WHERE page_share IS NOT NULL;
CREATE INDEX attempts_by_reference ON attempts (provider, provider_ref) WHERE provider_ref IS NOT NULL;

-- What is known of the other chains on which the address of an attempt exists too.
CREATE TABLE elsewhere (
  attempt_id TEXT NOT NULL PRIMARY KEY REFERENCES attempts (id),
  -- when a buyer last said that they paid on another network
  asked_at INTEGER,
  -- by chain: when it was read or could not be read, and where its next scan continues
  chains TEXT NOT NULL CHECK (json_valid(chains))
) STRICT;

-- A payment that a chain or a provider reported for an attempt.
CREATE TABLE incoming_payments (
  id TEXT NOT NULL PRIMARY KEY,
  attempt_id TEXT NOT NULL REFERENCES attempts (id),
  order_id TEXT NOT NULL REFERENCES orders (id),
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  -- the chain or the provider
  source TEXT NOT NULL,
  tx_id TEXT NOT NULL,
  tx_index TEXT NOT NULL,
  asset_id TEXT NOT NULL,
  amount_atomic TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('seen', 'final') OR state = 'gone'),
  -- whether it is part of the sum that settled the order
  settles INTEGER NOT NULL CHECK (settles IN (0, 1)),
  confirmations INTEGER NOT NULL,
  height INTEGER,
  -- the buyer's transaction, and the transaction that reached the merchant, if known
  tx_in TEXT,
  tx_out TEXT,
  paid_at INTEGER NOT NULL,
  -- since when how much of it was seen
  seen TEXT NOT NULL CHECK (json_valid(seen)),
  -- the time of its block
  mined_at INTEGER,
  -- what its transaction spends, where another one can replace it
  inputs TEXT NOT NULL CHECK (json_valid(inputs)),
  evidence TEXT NOT NULL CHECK (json_valid(evidence)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- one transaction may pay several attempts, as withdrawals of exchanges do
  UNIQUE (attempt_id, source, tx_id, tx_index)
) STRICT;
CREATE INDEX incoming_payments_of_attempt ON incoming_payments (attempt_id);
CREATE INDEX incoming_payments_of_order ON incoming_payments (order_id);
CREATE INDEX incoming_payments_by_tx ON incoming_payments (tx_id);
CREATE INDEX incoming_payments_by_tx_in ON incoming_payments (tx_in) WHERE tx_in IS NOT NULL;
CREATE INDEX incoming_payments_by_tx_out ON incoming_payments (tx_out) WHERE tx_out IS NOT NULL;

-- The transaction of the API: one for each order that was paid, except for orders that were forced.
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
  status TEXT NOT NULL CHECK (status IN ('PAID', 'PARTIALLY_REFUNDED') OR status = 'REFUNDED'),
  refund_status TEXT CHECK (refund_status IN ('PARTIAL', 'FULL')),
  refunded_amount TEXT,
  refund_count INTEGER NOT NULL DEFAULT 0,
  last_refunded_at INTEGER,
  refunded_at INTEGER,
  paid_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX transactions_of_merchant ON transactions (merchant_id, created_at, id);
CREATE INDEX transactions_by_tx_out ON transactions (tx_out) WHERE tx_out IS NOT NULL;
CREATE INDEX transactions_by_status ON transactions (merchant_id, status, created_at, id);

-- Why an order was settled: the rule that was applied, and the payments it was applied to.
CREATE TABLE settlements (
  order_id TEXT NOT NULL PRIMARY KEY REFERENCES orders (id),
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  attempt_id TEXT NOT NULL REFERENCES attempts (id),
  transaction_id TEXT NOT NULL UNIQUE REFERENCES transactions (id),
  verdict TEXT NOT NULL
    CHECK (verdict IN ('exact', 'short') OR verdict IN ('over', 'late') OR verdict = 'accepted'),
  rule TEXT NOT NULL,
  evidence TEXT NOT NULL CHECK (json_valid(evidence)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX settlements_of_attempt ON settlements (attempt_id);
CREATE TRIGGER settlements_no_update BEFORE UPDATE OF order_id, merchant_id, attempt_id, transaction_id, verdict, created_at ON settlements
BEGIN SELECT RAISE(ABORT, 'settlements cannot be changed'); END;
-- A text changes only when the email address of a buyer is erased.
CREATE TRIGGER settlements_erase BEFORE UPDATE OF rule, evidence ON settlements
WHEN coalesce(NEW.rule, '') || coalesce(NEW.evidence, '') NOT LIKE '%@erased.invalid%'
BEGIN SELECT RAISE(ABORT, 'settlements cannot be changed'); END;
CREATE TRIGGER settlements_no_delete BEFORE DELETE ON settlements
BEGIN SELECT RAISE(ABORT, 'settlements cannot be deleted'); END;

-- Payments that did not settle an order. The merchant decides what to do about them.
CREATE TABLE unmatched_payments (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  order_id TEXT NOT NULL REFERENCES orders (id),
  attempt_id TEXT NOT NULL REFERENCES attempts (id),
  incoming_payment_id TEXT NOT NULL UNIQUE REFERENCES incoming_payments (id),
  reason TEXT NOT NULL
    CHECK (
      reason IN ('wrong_asset', 'underpaid') OR reason IN ('late', 'second_payment')
      OR reason IN ('order_closed', 'too_late')
    ),
  status TEXT NOT NULL CHECK (status IN ('open', 'resolved') OR status = 'accepted'),
  -- in the order's currency
  value TEXT,
  shortfall TEXT,
  note TEXT,
  decided_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX unmatched_by_status ON unmatched_payments (merchant_id, status, created_at, id);
CREATE INDEX unmatched_of_merchant ON unmatched_payments (merchant_id, created_at, id);
CREATE INDEX unmatched_of_attempt ON unmatched_payments (attempt_id);
CREATE INDEX unmatched_of_order ON unmatched_payments (order_id);

CREATE TABLE refunds (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  order_id TEXT NOT NULL REFERENCES orders (id),
  transaction_id TEXT NOT NULL REFERENCES transactions (id),
  amount TEXT NOT NULL,
  currency TEXT NOT NULL,
  method_key TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX refunds_of_order ON refunds (order_id, created_at, id);
CREATE INDEX refunds_of_merchant ON refunds (merchant_id, created_at, id);
CREATE TRIGGER refunds_no_update BEFORE UPDATE OF id, merchant_id, order_id, transaction_id, amount, currency, method_key, created_at ON refunds
BEGIN SELECT RAISE(ABORT, 'refunds cannot be changed'); END;
-- A text changes only when the email address of a buyer is erased.
CREATE TRIGGER refunds_erase BEFORE UPDATE OF reason, created_by ON refunds
WHEN coalesce(NEW.reason, '') || coalesce(NEW.created_by, '') NOT LIKE '%@erased.invalid%'
BEGIN SELECT RAISE(ABORT, 'refunds cannot be changed'); END;
CREATE TRIGGER refunds_no_delete BEFORE DELETE ON refunds
BEGIN SELECT RAISE(ABORT, 'refunds cannot be deleted'); END;

CREATE TABLE notifications (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  kind TEXT NOT NULL,
  order_id TEXT REFERENCES orders (id),
  -- JSON: what it says, which is put into words for each reader
  facts TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX notifications_of_merchant ON notifications (merchant_id, created_at, id);
CREATE INDEX notifications_of_order ON notifications (order_id, created_at, id) WHERE order_id IS NOT NULL;

-- Notifications that the server has not yet addressed to recipients.
CREATE TABLE new_notifications (
  notification_id TEXT NOT NULL PRIMARY KEY REFERENCES notifications (id)
) STRICT, WITHOUT ROWID;

-- The messages that a notification is part of: by mail to its merchant, to the URL of the operator, or to people.
CREATE TABLE notification_sends (
  notification_id TEXT NOT NULL REFERENCES notifications (id),
  -- 'mail:' and the ID of a merchant, 'url', or 'channel:' and the ID of a person's channel
  recipient TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'sent') OR status = 'given_up'),
  channel TEXT CHECK (channel IN ('mail', 'https') OR channel IN ('ntfy', 'telegram')),
  sent_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (notification_id, recipient),
  CHECK ((status = 'sent') = (sent_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_sends ON notification_sends (recipient, created_at, notification_id) WHERE status = 'pending';

-- When messages were last sent to a recipient, or why they could not be sent.
CREATE TABLE notification_recipients (
  recipient TEXT NOT NULL PRIMARY KEY,
  -- no message is sent before
  not_before INTEGER NOT NULL,
  last_sent_at INTEGER,
  failing_since INTEGER,
  failures INTEGER NOT NULL,
  fault TEXT
) STRICT, WITHOUT ROWID;

-- Where people are notified of what happens at a merchant.
CREATE TABLE person_channels (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  name TEXT NOT NULL CHECK (name IN ('mail', 'https') OR name IN ('ntfy', 'telegram')),
  -- the endpoint; empty for mail, which goes to the address of the person
  url TEXT NOT NULL,
  topic TEXT NOT NULL,
  -- signs messages to https, and is the access token of the other services
  secret TEXT,
  -- the kinds of notifications that the person does not want there
  muted TEXT NOT NULL CHECK (json_valid(muted)),
  -- the hour of the merchant's day at which a digest is sent
  digest_hour INTEGER CHECK (digest_hour BETWEEN 0 AND 23),
  -- the end of the time that the last digest was about
  digested_until INTEGER,
  -- when the person entered the code that was sent there
  verified_at INTEGER,
  -- a hash of the code
  code_hash TEXT,
  code_sent_at INTEGER,
  code_tries INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((name = 'mail') = (url = ''))
) STRICT;
CREATE INDEX person_channels_of_user ON person_channels (user_id, merchant_id, created_at, id);
CREATE INDEX person_channels_of_merchant ON person_channels (merchant_id, created_at, id) WHERE verified_at IS NOT NULL;

-- Mails to buyers, at most one of each kind for an order.
CREATE TABLE buyer_mails (
  id TEXT NOT NULL PRIMARY KEY,
  order_id TEXT NOT NULL REFERENCES orders (id),
  kind TEXT NOT NULL CHECK (kind IN ('link', 'receipt')),
  -- the address of the buyer, in the spelling in which mails to it are counted
  mailbox TEXT NOT NULL,
  language TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'sent') OR status = 'given_up'),
  failures INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX buyer_mails_of_order ON buyer_mails (order_id, kind);
CREATE INDEX buyer_mails_of_mailbox ON buyer_mails (mailbox, kind, created_at);

-- What Florin needs and cannot use at the moment, such as an endpoint of a chain or space on the disk.
CREATE TABLE outages (
  id TEXT NOT NULL PRIMARY KEY,
  since INTEGER NOT NULL,
  -- when the merchants were notified; null if it has not lasted long enough
  notified_at INTEGER
) STRICT, WITHOUT ROWID;

-- The chains that could not be read when they were last looked at, or until they were read again.
CREATE TABLE blind_chains (
  chain TEXT NOT NULL PRIMARY KEY,
  -- the first and the last of the looks that have failed in a row, and how many they are
  since INTEGER NOT NULL,
  failed_at INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  -- when a look succeeded again; null while none has
  read_at INTEGER,
  -- the IDs of the merchants who were notified
  notified TEXT NOT NULL CHECK (json_valid(notified))
) STRICT, WITHOUT ROWID;

-- Every change of what money depends on, and of how people sign in.
CREATE TABLE audit_log (
  id TEXT NOT NULL PRIMARY KEY,
  -- null for a change of an operator's login, which belongs to no merchant
  merchant_id TEXT REFERENCES merchants (id),
  at INTEGER NOT NULL,
  -- 'key:ID', 'user:ID' or 'cli'
  actor TEXT NOT NULL CHECK (actor = 'cli' OR actor GLOB 'key:?*' OR actor GLOB 'user:?*'),
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  before TEXT CHECK (before IS NULL OR json_valid(before)),
  after TEXT CHECK (after IS NULL OR json_valid(after)),
  request_id TEXT
) STRICT;
CREATE INDEX audit_of_merchant ON audit_log (merchant_id, at, id);
CREATE INDEX audit_of_subject ON audit_log (subject, at, id);
CREATE TRIGGER audit_log_no_replace BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the audit log cannot be changed'); END;
CREATE TRIGGER audit_log_no_update BEFORE UPDATE OF id, merchant_id, at, actor, action, request_id ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log cannot be changed'); END;
-- A text changes only when the email address of a buyer is erased.
CREATE TRIGGER audit_log_erase BEFORE UPDATE OF subject, before, after ON audit_log
WHEN coalesce(NEW.subject, '') || coalesce(NEW.before, '') || coalesce(NEW.after, '') NOT LIKE '%@erased.invalid%'
BEGIN SELECT RAISE(ABORT, 'the audit log cannot be changed'); END;
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log cannot be deleted'); END;

-- Webhook events. Every delivery of an event sends the same body.
CREATE TABLE events (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  order_id TEXT NOT NULL REFERENCES orders (id),
  type TEXT NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX events_of_merchant ON events (merchant_id, created_at, id);
CREATE INDEX events_by_type ON events (merchant_id, type, created_at, id);
CREATE INDEX events_of_order ON events (order_id, created_at, id);
CREATE UNIQUE INDEX one_order_paid ON events (order_id) WHERE type = 'order.paid';
CREATE TRIGGER events_no_update BEFORE UPDATE OF id, merchant_id, order_id, type, created_at ON events
BEGIN SELECT RAISE(ABORT, 'events cannot be changed'); END;
-- A text changes only when the email address of a buyer is erased.
CREATE TRIGGER events_erase BEFORE UPDATE OF body ON events
WHEN coalesce(NEW.body, '') NOT LIKE '%@erased.invalid%'
BEGIN SELECT RAISE(ABORT, 'events cannot be changed'); END;

-- The delivery of an event. It repeats the type and time of the event, so that one index serves a list by type
-- and status. A pending delivery without next_attempt_at waits for an active webhook. A failed one was given
-- up after the last retry; both are sent when the webhook works again.
CREATE TABLE deliveries (
  event_id TEXT NOT NULL PRIMARY KEY REFERENCES events (id),
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  type TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered') OR status = 'failed'),
  next_attempt_at INTEGER,
  tries TEXT NOT NULL CHECK (json_valid(tries)),
  first_tried_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (status = 'pending' OR next_attempt_at IS NULL)
) STRICT;
CREATE INDEX deliveries_parked ON deliveries (merchant_id, type, created_at)
  WHERE status <> 'delivered' AND next_attempt_at IS NULL;
CREATE INDEX deliveries_by_status ON deliveries (merchant_id, status, created_at, event_id);
-- Tries that are forgotten one day.
CREATE INDEX deliveries_with_tries ON deliveries (updated_at) WHERE status = 'delivered' AND tries <> '[]';
CREATE INDEX deliveries_by_type ON deliveries (merchant_id, type, status, created_at, event_id);

-- Background jobs.
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

-- The Idempotency-Key headers that were used, and the ID of the order or refund that was created.
CREATE TABLE idempotency_keys (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, operation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (operation, created_at);

-- Sums of orders in minor units of the currency, by quarter hour and by UTC day. What is pending, created,
-- converted or deleted counts when the order was created; everything else counts when it happens.
CREATE TABLE statistics (
  merchant_number INTEGER NOT NULL REFERENCES merchants (number),
  currency TEXT NOT NULL,
  -- the time that the row covers
  minutes INTEGER NOT NULL CHECK (minutes IN (15, 1440)),
  starts_at INTEGER NOT NULL CHECK (starts_at % (minutes * 60000) = 0),
  gross TEXT NOT NULL,
  net TEXT NOT NULL,
  refunded TEXT NOT NULL,
  paid_count INTEGER NOT NULL,
  refunded_count INTEGER NOT NULL,
  pending TEXT NOT NULL,
  cancelled TEXT NOT NULL,
  forced TEXT NOT NULL,
  pending_count INTEGER NOT NULL,
  created_count INTEGER NOT NULL,
  -- how many of the created orders were paid since, and how many were deleted
  converted_count INTEGER NOT NULL,
  deleted_count INTEGER NOT NULL,
  cancelled_count INTEGER NOT NULL,
  forced_count INTEGER NOT NULL,
  PRIMARY KEY (merchant_number, minutes, currency, starts_at)
) STRICT, WITHOUT ROWID;

-- The same sums of payments and refunds, by payment method and asset.
CREATE TABLE method_statistics (
  merchant_number INTEGER NOT NULL REFERENCES merchants (number),
  currency TEXT NOT NULL,
  minutes INTEGER NOT NULL CHECK (minutes IN (15, 1440)),
  starts_at INTEGER NOT NULL CHECK (starts_at % (minutes * 60000) = 0),
  method_key TEXT NOT NULL,
  asset_id TEXT NOT NULL,
  gross TEXT NOT NULL,
  net TEXT NOT NULL,
  refunded TEXT NOT NULL,
  paid_count INTEGER NOT NULL,
  refunded_count INTEGER NOT NULL,
  PRIMARY KEY (merchant_number, minutes, currency, starts_at, method_key, asset_id)
) STRICT, WITHOUT ROWID;

-- What has to be added to these sums. Only PostgreSQL has rows here: writes that run at the same time would wait
-- for each other's sums.
CREATE TABLE statistic_changes (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  currency TEXT NOT NULL,
  -- the start of the quarter hour
  starts_at INTEGER NOT NULL,
  -- of payments and refunds
  method_key TEXT,
  asset_id TEXT,
  delta TEXT NOT NULL CHECK (json_valid(delta))
) STRICT, WITHOUT ROWID;
CREATE INDEX statistic_changes_of_merchant ON statistic_changes (merchant_id, currency, starts_at);

-- What each chain last said about the address of a payout wallet.
CREATE TABLE payout_checks (
  chain TEXT NOT NULL,
  address TEXT NOT NULL,
  is_contract INTEGER NOT NULL CHECK (is_contract IN (0, 1)),
  -- why the chain's coin cannot be paid out to it
  coin_refusal TEXT,
  checked_at INTEGER NOT NULL,
  PRIMARY KEY (address, chain)
) STRICT, WITHOUT ROWID;

-- The payment methods of a provider, as it last reported them.
CREATE TABLE catalogues (
  provider TEXT NOT NULL PRIMARY KEY,
  methods TEXT NOT NULL CHECK (json_valid(methods)),
  fetched_at INTEGER NOT NULL
) STRICT;

-- The assets and currencies whose rates are kept, since late payments in them may still arrive.
CREATE TABLE watched_rates (
  asset_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  watched_until INTEGER NOT NULL,
  -- until when buyers see this rate
  locked_until INTEGER NOT NULL,
  PRIMARY KEY (asset_id, currency)
) STRICT, WITHOUT ROWID;

-- The rates of the last days: one for each asset, currency and minute.
CREATE TABLE rates (
  asset_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  at INTEGER NOT NULL,
  value TEXT NOT NULL,
  sources TEXT NOT NULL CHECK (json_valid(sources)),
  PRIMARY KEY (asset_id, currency, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX rates_by_time ON rates (at);

-- What the sources of rates last said, for servers that share a database.
CREATE TABLE fetched_rates (
  -- a hash of the source and the coins that were asked for
  source TEXT NOT NULL PRIMARY KEY,
  -- null until it first answered
  prices TEXT CHECK (prices IS NULL OR json_valid(prices)),
  fetched_at INTEGER,
  -- Until then, no other server asks: one is asking, or the source wants a pause.
  asked_until INTEGER NOT NULL
) STRICT;

-- When open pages last had a chain scanned, for servers that share a database.
CREATE TABLE chain_scans (
  chain TEXT NOT NULL PRIMARY KEY,
  began_at INTEGER NOT NULL,
  -- null when the scan is over
  leased_until INTEGER
) STRICT;

-- The attempts that open pages of any server wait for. The next scan takes them.
CREATE TABLE asked_checks (
  chain TEXT NOT NULL,
  attempt_id TEXT NOT NULL,
  is_locked INTEGER NOT NULL CHECK (is_locked IN (0, 1)),
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (chain, attempt_id)
) STRICT;

-- The coins that a provider forwards, as it last reported them.
CREATE TABLE coin_catalogues (
  provider TEXT NOT NULL PRIMARY KEY,
  coins TEXT NOT NULL CHECK (json_valid(coins)),
  fetched_at INTEGER NOT NULL
) STRICT;

-- The people who can sign in to the dashboard.
CREATE TABLE users (
  id TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL,
  -- the address in lower case
  email_key TEXT NOT NULL UNIQUE,
  is_operator INTEGER NOT NULL CHECK (is_operator IN (0, 1)),
  -- argon2id; null until the person has chosen a password
  password_hash TEXT,
  -- of the dashboard and of messages: as first shown to the person, or as chosen since; null until then
  language TEXT,
  -- since when the person may not sign in; null if they may
  suspended_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE memberships (
  user_id TEXT NOT NULL REFERENCES users (id),
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  role TEXT NOT NULL CHECK (role IN ('viewer', 'staff') OR role = 'owner'),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, merchant_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_of_merchant ON memberships (merchant_id, created_at, user_id);

-- The browsers in which people are signed in. Only a hash of the token in the cookie is stored.
CREATE TABLE logins (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  merchant_id TEXT REFERENCES merchants (id),
  -- when the person last proved who they are
  authenticated_at INTEGER NOT NULL,
  user_agent TEXT NOT NULL,
  address TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX logins_of_user ON logins (user_id, last_seen_at, id);

-- Links for one use, with which people choose a password. Only a hash of the token is stored.
CREATE TABLE user_links (
  id TEXT NOT NULL PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('first', 'password') OR purpose = 'enter'),
  -- null for the first user of a server, who does not exist yet
  user_id TEXT REFERENCES users (id),
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  CHECK ((purpose = 'first') = (user_id IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX links_of_user ON user_links (user_id);

-- The steps of setting up a shop that its owner left out.
CREATE TABLE setup_skips (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  step TEXT NOT NULL
    CHECK (step IN ('shop', 'payouts') OR step IN ('webhook', 'product') OR step = 'payment'),
  skipped_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, step)
) STRICT, WITHOUT ROWID;

-- The second factors of people. A row counts once it is confirmed.
CREATE TABLE second_factors (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id),
  -- base32; the authenticator app has the same. null if only passkeys are the second factor
  secret TEXT,
  confirmed_at INTEGER,
  -- the time step of the last code that was used: a code counts once
  last_step INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The browsers in which people signed in during the last 30 days: a login in another one is reported to them.
CREATE TABLE known_browsers (
  user_id TEXT NOT NULL REFERENCES users (id),
  -- SHA-256 of the browser and its network
  hash TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

-- The passkeys of people. What is secret about them never leaves the people's devices.
CREATE TABLE passkeys (
  -- the credential ID in base64url, as the browser names it
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  -- a COSE key in base64url
  public_key TEXT NOT NULL,
  -- how often the device says that it was used; 0 for a device that does not count
  sign_count INTEGER NOT NULL,
  transports TEXT NOT NULL CHECK (json_valid(transports)),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_of_user ON passkeys (user_id, created_at, id);

-- What a device has to sign to show that it has a passkey. A used one is deleted.
CREATE TABLE passkey_challenges (
  -- SHA-256
  id TEXT NOT NULL PRIMARY KEY,
  -- whose passkey is wanted; null if that is not known yet
  user_id TEXT REFERENCES users (id),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenges_by_time ON passkey_challenges (expires_at, id);

-- Codes for one use instead of the app. A used one is deleted.
CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id),
  -- SHA-256
  hash TEXT NOT NULL,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

-- People who entered their password and have yet to enter a code. Only a hash of the token in the cookie is stored.
CREATE TABLE half_logins (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX half_logins_of_user ON half_logins (user_id);

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
