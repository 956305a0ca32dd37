CREATE TABLE IF NOT EXISTS sign_in_failures (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  count BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS sign_in_failures_by_time ON sign_in_failures (expires_at, id);
