-- When a shop issues invoices, and what they say about it, as JSON. NULL where invoices were never set up.
ALTER TABLE merchants ADD COLUMN IF NOT EXISTS invoicing TEXT COLLATE "C";
-- The last number of each series: one for each shop and year.
CREATE TABLE IF NOT EXISTS invoice_numbers (
  merchant_id TEXT COLLATE "C" NOT NULL,
  year BIGINT NOT NULL,
  last BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, year)
);
-- Invoices and credit notes as they were issued. The law wants them unchanged, and their numbers without gaps.
-- They outlive their orders.
CREATE TABLE IF NOT EXISTS invoices (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  merchant_id TEXT COLLATE "C" NOT NULL,
  order_id TEXT COLLATE "C" NOT NULL,
  cause TEXT COLLATE "C" NOT NULL,
  year BIGINT NOT NULL,
  ordinal BIGINT NOT NULL,
  number TEXT COLLATE "C" NOT NULL,
  content TEXT COLLATE "C" NOT NULL,
  xml TEXT COLLATE "C",
  sha256 TEXT COLLATE "C",
  issued_at BIGINT NOT NULL,
  UNIQUE (merchant_id, year, ordinal),
  UNIQUE (order_id, cause)
);
CREATE OR REPLACE TRIGGER invoices_no_update BEFORE UPDATE ON invoices FOR EACH ROW
EXECUTE FUNCTION refuse_change('invoices cannot be changed');
CREATE OR REPLACE TRIGGER invoices_no_delete BEFORE DELETE ON invoices FOR EACH ROW
EXECUTE FUNCTION refuse_change('invoices cannot be deleted');
