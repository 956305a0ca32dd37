-- The value from which a shop is notified that funds wait, as JSON. NULL if it is not.
ALTER TABLE merchants ADD COLUMN funds_reminder TEXT;
-- What forwarders and seed addresses held on a chain when it was last asked. An empty list stays, so that an emptied
-- address is not asked for again until something new arrives.
CREATE TABLE held_funds (
  attempt_id TEXT NOT NULL,
  chain TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  holdings TEXT NOT NULL,
  looked_at INTEGER NOT NULL,
  PRIMARY KEY (attempt_id, chain)
) STRICT, WITHOUT ROWID;
-- The sums of each shop with their value and what moving them costs, for pages.
CREATE TABLE waiting_funds (
  merchant_id TEXT NOT NULL PRIMARY KEY,
  currency TEXT NOT NULL,
  chains TEXT NOT NULL,
  reminded TEXT
) STRICT, WITHOUT ROWID;
-- Transactions that moved funds, with the fees that networks took.
CREATE TABLE sweep_transactions (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  chain TEXT NOT NULL,
  tx_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (
    status = 'sent' OR status = 'done' OR status = 'failed' OR status = 'missing' OR status = 'foreign'
  ),
  moved TEXT NOT NULL,
  fee_asset_id TEXT,
  fee_amount TEXT,
  fee_value TEXT,
  currency TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  mined_at INTEGER,
  updated_at INTEGER NOT NULL,
  UNIQUE (merchant_id, tx_id)
) STRICT;
CREATE INDEX sweep_transactions_by_time ON sweep_transactions (merchant_id, created_at, id);
CREATE INDEX sweep_transactions_mined ON sweep_transactions (merchant_id, mined_at, id) WHERE mined_at IS NOT NULL;
CREATE INDEX sweep_transactions_sent ON sweep_transactions (updated_at, id) WHERE status = 'sent';
