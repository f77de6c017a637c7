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
  -- The colour of buttons and links on the hosted pages; null: the service's own colour.
  accent_colour text CHECK (accent_colour ~ '^#[0-9a-f]{6}$'),
  redirect_uri text,
  -- Empty: any address that the rules of redirects allow.
  redirect_allow_list text[] NOT NULL DEFAULT '{}',
  rate_limit_per_minute integer CHECK (rate_limit_per_minute >= 0),
  -- What each user of the application can earn on one UTC day of acceptance; null: no limit.
  points_a_day integer CHECK (points_a_day >= 0),
  meals_a_day integer CHECK (meals_a_day >= 0),
  food_points_a_day integer CHECK (food_points_a_day >= 0),
  previous_secret_hash bytea CHECK (length(previous_secret_hash) = 32),
  previous_secret_until timestamptz,
  suspended_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((previous_secret_hash IS NULL) = (previous_secret_until IS NULL))
);
COMMENT ON TABLE applications IS 'One integrating client: credentials, logo, redirect address';
COMMENT ON COLUMN applications.secret_hash IS 'SHA-256 of the client secret, which is 256 random bits and therefore needs no slow hash';
COMMENT ON COLUMN applications.rate_limit_per_minute IS 'Its own limit in place of the setting RATE_LIMIT_PER_MINUTE; 0: none; null: the setting holds';
COMMENT ON COLUMN applications.meals_a_day IS 'Meals that earn points; those beyond are rated and earn 0';
COMMENT ON COLUMN applications.food_points_a_day IS 'Points from tracked foods; points_a_day counts them too';
COMMENT ON COLUMN applications.previous_secret_hash IS 'SHA-256 of the secret that was replaced last: it is accepted beside the new one until previous_secret_until';
