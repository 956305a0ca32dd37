-- 1 if staff may change the prices of products.
ALTER TABLE merchants ADD COLUMN staff_prices INTEGER NOT NULL DEFAULT 0;
