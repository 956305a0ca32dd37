ALTER TABLE merchants ADD COLUMN crypto_first TEXT NOT NULL DEFAULT 'own'
  CHECK (crypto_first IN ('own', 'provider'));

CREATE TABLE coin_catalogues (
  provider TEXT NOT NULL PRIMARY KEY,
  coins TEXT NOT NULL CHECK (json_valid(coins)),
  fetched_at INTEGER NOT NULL
) STRICT;

-- An address that a provider names must not be one that is known, however it is spelled.
CREATE INDEX attempts_by_address ON attempts (lower(address)) WHERE address IS NOT NULL;
