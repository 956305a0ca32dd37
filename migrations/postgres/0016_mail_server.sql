-- The mail server that an operator entered in the dashboard. The environment takes precedence.
CREATE TABLE IF NOT EXISTS chosen_mail_servers (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY CHECK (id = 'mail'),
  host TEXT COLLATE "C" NOT NULL,
  port BIGINT NOT NULL,
  -- encrypted from the start, or after STARTTLS
  security TEXT COLLATE "C" NOT NULL CHECK (security IN ('tls', 'starttls')),
  user_name TEXT COLLATE "C" NOT NULL,
  -- encrypted with the key of FLORIN_SECRETS_FILE; null without a user name
  password TEXT COLLATE "C" CHECK (password IS NULL OR password::json IS NOT NULL),
  sender TEXT COLLATE "C" NOT NULL,
  updated_at BIGINT NOT NULL
);
