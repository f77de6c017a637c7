-- What an application has taught of single words: an abbreviation of its tills, or one of its shops' own brands.
CREATE TABLE words (
  id uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications (id),
  word text NOT NULL,
  means text NOT NULL,
  author text NOT NULL CHECK (author IN ('api', 'operator')),
  created_at timestamptz NOT NULL,
  UNIQUE (application_id, word)
);
COMMENT ON COLUMN words.word IS 'Lower case without accents, as words of names are compared';
COMMENT ON COLUMN words.means IS 'What is read in its place; empty: it says nothing about the food';
