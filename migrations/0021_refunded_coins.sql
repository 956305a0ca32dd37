-- The coin in which a refund was sent, of an order that was paid in several ways; NULL if nobody recorded it, or if an
-- earlier version did: its form offered only the coin that completed the order.
ALTER TABLE refunds ADD COLUMN sent_asset_id TEXT;
