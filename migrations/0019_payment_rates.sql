-- The price that values a payment after its lock or in another coin: needed longer than the rates of its day are stored.
-- NULL if it arrived in time, or if no price is known.
ALTER TABLE incoming_payments ADD COLUMN rate TEXT;
