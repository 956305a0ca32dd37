-- Whether a webhook gets events of live orders, of test orders, or of both.
ALTER TABLE further_webhooks ADD COLUMN IF NOT EXISTS mode TEXT COLLATE "C" NOT NULL DEFAULT 'live';

-- Test orders belong to test shops, whose IDs are UUIDs of version 8. What they left behind can be deleted.
CREATE OR REPLACE TRIGGER settlements_no_delete BEFORE DELETE ON settlements FOR EACH ROW
WHEN (substr(OLD.merchant_id, 15, 1) <> '8')
EXECUTE FUNCTION refuse_change('settlements cannot be deleted');
CREATE OR REPLACE TRIGGER refunds_no_delete BEFORE DELETE ON refunds FOR EACH ROW
WHEN (substr(OLD.merchant_id, 15, 1) <> '8')
EXECUTE FUNCTION refuse_change('refunds cannot be deleted');
