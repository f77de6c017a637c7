-- One random key for the whole installation: signing keys of webhooks and links are derived from it,
-- so that no derived secret is stored. 366 bits from the server's strong random source, hashed to 256.
CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  key bytea NOT NULL CHECK (length(key) = 32),
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO installation (key)
SELECT sha256((gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text)::bytea);

CREATE TABLE applications (
  id uuid PRIMARY KEY,
  client_id text NOT NULL UNIQUE,
  secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
  name text NOT NULL,
  is_sandbox boolean NOT NULL,
  logo_url text,
  redirect_uri text,
  -- Empty: any address that the rules of redirects allow.
  redirect_allow_list text[] NOT NULL DEFAULT '{}',
  suspended_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
COMMENT ON TABLE applications IS 'One integrating client: credentials, logo, redirect address';
COMMENT ON COLUMN applications.secret_hash IS 'SHA-256 of the client secret, which is 256 random bits and therefore needs no slow hash';
