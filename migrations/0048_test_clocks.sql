-- How far the time of a sandbox user was moved ahead of the service's, for tests of expiry.
CREATE TABLE test_clocks (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  ahead_ms bigint NOT NULL,
  CONSTRAINT test_clocks_ahead CHECK (ahead_ms >= 0)
);
COMMENT ON TABLE test_clocks IS 'Users of sandbox applications only';
