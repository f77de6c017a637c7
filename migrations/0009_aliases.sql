-- Aliases of an application: a name, at one merchant or at all, means a food or a product.
CREATE TABLE aliases (
  id uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications (id),
  name text NOT NULL,
  name_key text NOT NULL,
  merchant_name text,
  merchant_key text NOT NULL,
  target_kind text NOT NULL CHECK (target_kind IN ('food', 'product', 'gtin')),
  target text NOT NULL,
  author text NOT NULL CHECK (author IN ('api', 'operator')),
  created_at timestamptz NOT NULL,
  UNIQUE (application_id, name_key, merchant_key),
  CHECK ((merchant_name IS NULL) = (merchant_key = ''))
);
COMMENT ON COLUMN aliases.name_key IS 'The words of the name without its size: the form used to compare names';
COMMENT ON COLUMN aliases.target IS 'Id of a food of our catalogue, the foodId of a private product, or a GTIN of 14 digits';
COMMENT ON COLUMN aliases.author IS 'The application itself, or the operator on its behalf';

-- Custom words of an application: an abbreviation that its tills print, or a private label of its shops.
CREATE TABLE words (
  id uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications (id),
  word text NOT NULL,
  means text NOT NULL,
  author text NOT NULL CHECK (author IN ('api', 'operator')),
  created_at timestamptz NOT NULL,
  UNIQUE (application_id, word)
);
COMMENT ON COLUMN words.word IS 'Lower case without accents: the form used to compare words';
COMMENT ON COLUMN words.means IS 'The replacement; empty: the word says nothing about the food';
