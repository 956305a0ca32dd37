-- 1 once a payment counted although it was late or in another coin: settings that change later do not take that back.
ALTER TABLE incoming_payments ADD COLUMN counts INTEGER NOT NULL DEFAULT 0;
