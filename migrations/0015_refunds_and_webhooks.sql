-- What was sent back to the buyer, in the coin in which the order was paid; NULL if nobody recorded it.
ALTER TABLE refunds ADD COLUMN sent_amount TEXT;
-- The transaction that sent it.
ALTER TABLE refunds ADD COLUMN tx_id TEXT;
-- Events from before then are not sent to a webhook that was connected late, unless a person sends them one by one;
-- NULL if all are sent.
ALTER TABLE webhooks ADD COLUMN sends_from INTEGER;
