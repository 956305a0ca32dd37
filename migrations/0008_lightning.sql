-- The invoices that buyers were shown: a payment hash is used once, or one payment would pay two orders. Rows stay
-- for good.
CREATE TABLE lightning_invoices (
  payment_hash TEXT NOT NULL PRIMARY KEY,
  attempt_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
