-- The invoices that buyers were shown: a payment hash is used once, or one payment would pay two orders. Rows stay
-- for good.
CREATE TABLE IF NOT EXISTS lightning_invoices (
  payment_hash TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  attempt_id TEXT COLLATE "C" NOT NULL
);
