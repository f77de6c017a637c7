-- What an application has taught: a name, at one merchant or anywhere, means a food or a product.
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
COMMENT ON COLUMN aliases.name_key IS 'The words of the name without its size, as names are compared';
COMMENT ON COLUMN aliases.target IS 'Id of a food of our catalogue, the foodId of an own product, or a GTIN of 14 digits';
COMMENT ON COLUMN aliases.author IS 'The application itself, or the operator for it';
