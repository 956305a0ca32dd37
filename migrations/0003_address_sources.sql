-- Sources of addresses that a merchant set up. None is ever deleted: addresses of it may still be paid.
CREATE TABLE address_sources (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  network TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('xpub', 'viewkey', 'pool')),
  key TEXT,
  script TEXT CHECK (script IN ('p2pkh', 'p2sh-p2wpkh', 'p2wpkh')),
  payout_address TEXT,
  next_index INTEGER NOT NULL CHECK (next_index >= 0),
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((kind = 'pool') = (key IS NULL)),
  CHECK ((kind = 'viewkey') = (payout_address IS NOT NULL))
) STRICT;
CREATE INDEX address_sources_of_merchant ON address_sources (merchant_id, network);
CREATE UNIQUE INDEX one_active_source ON address_sources (merchant_id, network, kind) WHERE active = 1;
-- Two merchants with one account would give out the same addresses.
CREATE UNIQUE INDEX one_source_per_key ON address_sources (network, key) WHERE key IS NOT NULL;

CREATE TABLE source_addresses (
  network TEXT NOT NULL,
  address TEXT NOT NULL,
  source_id TEXT NOT NULL REFERENCES address_sources (id),
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  position INTEGER NOT NULL CHECK (position >= 0),
  attempt_id TEXT UNIQUE,
  allocated_at INTEGER,
  CHECK ((attempt_id IS NULL) = (allocated_at IS NULL)),
  PRIMARY KEY (network, address),
  UNIQUE (source_id, position)
) STRICT;
CREATE INDEX free_addresses ON source_addresses (source_id, position) WHERE attempt_id IS NULL;
CREATE TRIGGER source_addresses_stay BEFORE DELETE ON source_addresses
BEGIN SELECT RAISE(ABORT, 'an address is never forgotten'); END;

-- Several attempts may share the payout wallet, told apart by their amounts; any other address serves one.
CREATE TABLE attempts_anew (
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
  address TEXT,
  shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
  payout_address TEXT,
  address_source TEXT CHECK (json_valid(address_source)),
  required_endpoints INTEGER NOT NULL CHECK (required_endpoints BETWEEN 1 AND 2),
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
INSERT INTO attempts_anew
SELECT id, merchant_id, order_id, kind, provider, method_key, method_name, asset_id, decimals, due_atomic, threshold_atomic, rate,
  rate_sources, rate_at, address, 0, payout_address, address_source, 1, payment_uri, redirect_url, callback_url,
  callback_secret, provider_ref, fee_split, locked_until, watch_until, state, received, confirmed, confirmations,
  required_confirmations, cursor, checked_at, created_at, updated_at
FROM attempts;
DROP TABLE attempts;
ALTER TABLE attempts_anew RENAME TO attempts;
CREATE INDEX attempts_of_order ON attempts (order_id, created_at, id);
CREATE UNIQUE INDEX one_settled_attempt ON attempts (order_id) WHERE state = 'settled';
CREATE UNIQUE INDEX own_addresses ON attempts (address) WHERE shared = 0;
CREATE INDEX shared_addresses ON attempts (address, asset_id, due_atomic) WHERE shared = 1;
