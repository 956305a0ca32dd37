-- The address of the client that sent the request, or the login name of who ran the command. Null if unknown,
-- and in rows that an older server wrote.
ALTER TABLE audit_log ADD COLUMN client TEXT;
