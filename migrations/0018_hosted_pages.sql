-- The very words that were agreed to, once for each version, language and application, beside who agreed to them and when.
CREATE TABLE consent_texts (
  digest bytea PRIMARY KEY CHECK (length(digest) = 32),
  text_version text NOT NULL,
  language text NOT NULL,
  text text NOT NULL,
  first_shown_at timestamptz NOT NULL
);
COMMENT ON COLUMN consent_texts.digest IS 'SHA-256 of the text';
COMMENT ON COLUMN consent_texts.text IS 'As it stood on the page, with the application''s name in it';

ALTER TABLE consents ADD COLUMN text_digest bytea REFERENCES consent_texts (digest);
COMMENT ON COLUMN consents.text_digest IS 'Null for what was agreed to before the words were kept';

-- In which the hosted pages draw what can be pressed; null: the service's own colour.
ALTER TABLE applications ADD COLUMN accent_colour text CHECK (accent_colour ~ '^#[0-9a-f]{6}$');
