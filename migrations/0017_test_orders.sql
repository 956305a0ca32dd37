-- Whether a webhook gets events of live orders, of test orders, or of both.
ALTER TABLE further_webhooks ADD COLUMN mode TEXT NOT NULL DEFAULT 'live';

-- Test orders belong to test shops, whose IDs are UUIDs of version 8. What they left behind can be deleted.
DROP TRIGGER settlements_no_delete;
CREATE TRIGGER settlements_no_delete BEFORE DELETE ON settlements
WHEN substr(OLD.merchant_id, 15, 1) <> '8'
BEGIN SELECT RAISE(ABORT, 'settlements cannot be deleted'); END;
DROP TRIGGER refunds_no_delete;
CREATE TRIGGER refunds_no_delete BEFORE DELETE ON refunds
WHEN substr(OLD.merchant_id, 15, 1) <> '8'
BEGIN SELECT RAISE(ABORT, 'refunds cannot be deleted'); END;
