-- Each process that serves says once a second what it has counted of limited calls: they share a limit.
CREATE TABLE serving_processes (
  id uuid NOT NULL,
  seen_at timestamptz NOT NULL,
  said jsonb NOT NULL,
  CONSTRAINT serving_processes_pkey PRIMARY KEY (id)
) WITH (fillfactor = 50);
COMMENT ON COLUMN serving_processes.said IS 'By application: end of the window in ms since 1970, limit, calls since the last time, calls admitted, share of the limit';
