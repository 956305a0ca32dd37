-- Orders that were changed since they were created. New ones are found by the time of their creation.
CREATE INDEX orders_changed ON orders (merchant_number, updated_at) WHERE updated_at > created_at;
