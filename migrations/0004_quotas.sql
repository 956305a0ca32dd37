-- Counts of messages to people who may not want them: by person, destination, shop and mail domain. A row is of
-- no use once it has ended. Rows belong to no channel or order, so that a count survives their removal.
CREATE TABLE quotas (
  -- the limit and a hash of what is limited by it
  id TEXT NOT NULL PRIMARY KEY,
  used INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX quotas_by_end ON quotas (ends_at);
