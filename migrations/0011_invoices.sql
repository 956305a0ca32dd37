-- When a shop issues invoices, and what they say about it, as JSON. NULL where invoices were never set up.
ALTER TABLE merchants ADD COLUMN invoicing TEXT;
-- The last number of each series: one for each shop and year.
CREATE TABLE invoice_numbers (
  merchant_id TEXT NOT NULL,
  year INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (merchant_id, year)
) STRICT, WITHOUT ROWID;
-- Invoices and credit notes as they were issued. The law wants them unchanged, and their numbers without gaps.
-- They outlive their orders.
CREATE TABLE invoices (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  order_id TEXT NOT NULL,
  cause TEXT NOT NULL,
  year INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  number TEXT NOT NULL,
  content TEXT NOT NULL,
  xml TEXT,
  sha256 TEXT,
  issued_at INTEGER NOT NULL,
  UNIQUE (merchant_id, year, ordinal),
  UNIQUE (order_id, cause)
) STRICT;
CREATE TRIGGER invoices_no_update BEFORE UPDATE ON invoices
BEGIN SELECT RAISE(ABORT, 'invoices cannot be changed'); END;
CREATE TRIGGER invoices_no_delete BEFORE DELETE ON invoices
BEGIN SELECT RAISE(ABORT, 'invoices cannot be deleted'); END;
