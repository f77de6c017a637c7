-- Passkeys of the people of the console.

CREATE TABLE console_passkeys (
  credential_id bytea PRIMARY KEY,
  console_user_id uuid NOT NULL REFERENCES console_users ON DELETE CASCADE,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz
);
COMMENT ON COLUMN console_passkeys.counter IS 'Of the authenticator; a lower one than before is a copy. Most passkeys keep it at 0';
CREATE INDEX console_passkeys_user ON console_passkeys (console_user_id);

CREATE TABLE console_used_challenges (
  challenge bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE console_used_challenges IS 'Challenges that somebody has signed in with, until they expire: none works twice';
