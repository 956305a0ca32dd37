-- JSON array of the origins whose pages may show the checkout in a frame.
ALTER TABLE merchants ADD COLUMN embed_origins TEXT;
