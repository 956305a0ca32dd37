-- The value from which a shop is notified that funds wait, as JSON. NULL if it is not.
ALTER TABLE merchants ADD COLUMN IF NOT EXISTS funds_reminder TEXT COLLATE "C";
-- What forwarders and seed addresses held on a chain when it was last asked. An empty list stays, so that an emptied
-- address is not asked for again until something new arrives.
CREATE TABLE IF NOT EXISTS held_funds (
  attempt_id TEXT COLLATE "C" NOT NULL,
  chain TEXT COLLATE "C" NOT NULL,
  merchant_id TEXT COLLATE "C" NOT NULL,
  holdings TEXT COLLATE "C" NOT NULL,
  looked_at BIGINT NOT NULL,
  PRIMARY KEY (attempt_id, chain)
);
-- The sums of each shop with their value and what moving them costs, for pages.
CREATE TABLE IF NOT EXISTS waiting_funds (
  merchant_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  currency TEXT COLLATE "C" NOT NULL,
  chains TEXT COLLATE "C" NOT NULL,
  reminded TEXT COLLATE "C"
);
-- Transactions that moved funds, with the fees that networks took.
CREATE TABLE IF NOT EXISTS sweep_transactions (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL,
  chain TEXT COLLATE "C" NOT NULL,
  tx_id TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (
    status = 'sent' OR status = 'done' OR status = 'failed' OR status = 'missing' OR status = 'foreign'
  ),
  moved TEXT COLLATE "C" NOT NULL,
  fee_asset_id TEXT COLLATE "C",
  fee_amount TEXT COLLATE "C",
  fee_value TEXT COLLATE "C",
  currency TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  mined_at BIGINT,
  updated_at BIGINT NOT NULL,
  UNIQUE (merchant_id, tx_id)
);
CREATE INDEX IF NOT EXISTS sweep_transactions_by_time ON sweep_transactions (merchant_id, created_at, id);
CREATE INDEX IF NOT EXISTS sweep_transactions_mined ON sweep_transactions (merchant_id, mined_at, id) WHERE mined_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS sweep_transactions_sent ON sweep_transactions (updated_at, id) WHERE status = 'sent';
