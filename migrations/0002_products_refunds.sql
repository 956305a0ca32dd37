CREATE TABLE product_images (
  id TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  type TEXT NOT NULL CHECK (type IN ('image/png', 'image/jpeg', 'image/webp')),
  bytes BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

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
CREATE INDEX products_of_merchant ON products (merchant_id, updated_at DESC, id DESC);

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
CREATE INDEX refunds_of_order ON refunds (order_id, created_at DESC, id DESC);

CREATE TRIGGER refunds_are_final BEFORE UPDATE ON refunds
BEGIN SELECT RAISE(ABORT, 'refunds are never changed'); END;
CREATE TRIGGER refunds_stay BEFORE DELETE ON refunds
BEGIN SELECT RAISE(ABORT, 'refunds are never deleted'); END;
CREATE TRIGGER images_are_final BEFORE UPDATE ON product_images
BEGIN SELECT RAISE(ABORT, 'images are never changed'); END;

ALTER TABLE orders ADD COLUMN refund_status TEXT CHECK (refund_status IN ('PARTIAL', 'FULL'));
ALTER TABLE orders ADD COLUMN refunded_amount TEXT;
ALTER TABLE orders ADD COLUMN refund_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN last_refunded_at INTEGER;
ALTER TABLE orders ADD COLUMN refunded_at INTEGER;

ALTER TABLE transactions ADD COLUMN refund_status TEXT CHECK (refund_status IN ('PARTIAL', 'FULL'));
ALTER TABLE transactions ADD COLUMN refunded_amount TEXT;
ALTER TABLE transactions ADD COLUMN refund_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE transactions ADD COLUMN last_refunded_at INTEGER;
ALTER TABLE transactions ADD COLUMN refunded_at INTEGER;

-- The type of the event, so that one index serves a list by type and status.
ALTER TABLE deliveries ADD COLUMN type TEXT NOT NULL DEFAULT '';
UPDATE deliveries SET type = (SELECT type FROM events WHERE id = event_id);

CREATE INDEX transactions_by_status ON transactions (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX events_by_type ON events (merchant_id, type, created_at DESC, id DESC);
CREATE INDEX deliveries_by_status ON deliveries (merchant_id, status, created_at DESC, event_id DESC);
CREATE INDEX deliveries_by_type ON deliveries (merchant_id, type, status, created_at DESC, event_id DESC);
