-- Which expiries a user's integrator was notified of: each once.
CREATE TABLE expiry_notices (
  user_id uuid NOT NULL REFERENCES users (id),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, expires_at)
);
COMMENT ON TABLE expiry_notices IS 'Expiries that points.expiring has announced; rows of the past are removed with the next one';
