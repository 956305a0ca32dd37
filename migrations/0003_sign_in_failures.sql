-- How often a secret that signs people in was entered wrongly, within an hour. All servers count together.
CREATE TABLE sign_in_failures (
  -- SHA-256 of what is counted, such as wrong passwords for an email address from a network
  id TEXT NOT NULL PRIMARY KEY,
  count INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  -- when counting begins again
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_failures_by_time ON sign_in_failures (expires_at, id);
