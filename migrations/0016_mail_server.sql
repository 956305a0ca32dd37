-- The mail server that an operator entered in the dashboard. The environment takes precedence.
CREATE TABLE chosen_mail_servers (
  id TEXT NOT NULL PRIMARY KEY CHECK (id = 'mail'),
  host TEXT NOT NULL,
  port INTEGER NOT NULL,
  -- encrypted from the start, or after STARTTLS
  security TEXT NOT NULL CHECK (security IN ('tls', 'starttls')),
  user_name TEXT NOT NULL,
  -- encrypted with the key of FLORIN_SECRETS_FILE; null without a user name
  password TEXT CHECK (password IS NULL OR json_valid(password)),
  sender TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
