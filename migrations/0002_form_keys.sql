-- The secret with which the forms of a login are stamped. Null in logins that an older server made.
ALTER TABLE logins ADD COLUMN form_key TEXT;
