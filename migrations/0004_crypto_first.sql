ALTER TABLE merchants ADD COLUMN crypto_first TEXT NOT NULL DEFAULT 'own'
  CHECK (crypto_first IN ('own', 'provider'));

CREATE TABLE coin_catalogues (
  provider TEXT NOT NULL PRIMARY KEY,
  coins TEXT NOT NULL CHECK (json_valid(coins)),
  fetched_at INTEGER NOT NULL
) STRICT;

-- An address that a provider names must not be one that is known, however it is spelled.
CREATE INDEX attempts_by_address ON attempts (lower(address)) WHERE address IS NOT NULL;

CREATE INDEX attempts_by_reference ON attempts (provider, provider_ref) WHERE provider_ref IS NOT NULL;

-- A merchant's account with a provider that takes charges. The adapter reads the credentials.
CREATE TABLE provider_accounts (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  provider TEXT NOT NULL,
  credentials TEXT NOT NULL CHECK (json_valid(credentials)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, provider)
) STRICT, WITHOUT ROWID;
