-- The tax settings of a shop, as JSON. Null: the shop does not use them.
ALTER TABLE merchants ADD COLUMN tax TEXT;
-- Which of a country's rates a product has.
ALTER TABLE products ADD COLUMN tax_class TEXT NOT NULL DEFAULT 'standard';
-- The tax of an order, as JSON, as it was when the order was created. Null in shops without tax settings.
ALTER TABLE orders ADD COLUMN tax TEXT;
-- The person who created an order in the dashboard. Null for orders of the API and of product pages.
ALTER TABLE orders ADD COLUMN created_by TEXT;
