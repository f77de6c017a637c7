CREATE TABLE users (
  id uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications (id),
  email text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  image_url text,
  country text,
  city text,
  postal_code text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- GDPR, article 17: an erased user keeps an id without a person, so that the sums of the ledger still hold.
  erased_at timestamptz,
  CHECK (erased_at IS NULL OR (email = '' AND first_name = '' AND last_name = ''))
);
COMMENT ON COLUMN users.email IS 'As sent, trimmed and lower-case';

-- An address enrols once in an application. A table of its own, since this uniqueness has no user in it.
CREATE TABLE user_emails (
  application_id uuid NOT NULL REFERENCES applications (id),
  email text NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id) DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (application_id, email)
);
