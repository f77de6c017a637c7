-- Where products come from. One source is removed with all its products, so that data under a share-alike licence
-- stays separable from everything else.
CREATE TABLE product_sources (
  id uuid PRIMARY KEY,
  application_id uuid REFERENCES applications (id),
  name text NOT NULL,
  licence text NOT NULL,
  attribution text NOT NULL,
  revision integer NOT NULL DEFAULT 0 CHECK (revision >= 0),
  created_at timestamptz NOT NULL,
  imported_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (application_id, name)
);
COMMENT ON COLUMN product_sources.application_id IS 'Whose own products these are, which nobody else sees; null: everybody''s';
COMMENT ON COLUMN product_sources.licence IS 'SPDX identifier where there is one';
COMMENT ON COLUMN product_sources.revision IS 'Counts the imports';

-- Things that are sold. What a product does not say itself is taken from the reference food that it names.
CREATE TABLE products (
  source_id uuid NOT NULL REFERENCES product_sources (id),
  code text NOT NULL,
  gtin text CHECK (gtin ~ '^[0-9]{14}$'),
  name text NOT NULL,
  brand text,
  category text,
  reference text,
  name_key text,
  pack_g double precision CHECK (pack_g > 0),
  nutrition jsonb,
  co2e_g_per_kg integer CHECK (co2e_g_per_kg >= 0),
  co2e_uncertainty double precision CHECK (co2e_uncertainty > 1),
  revision integer NOT NULL,
  PRIMARY KEY (source_id, code),
  CHECK ((co2e_g_per_kg IS NULL) = (co2e_uncertainty IS NULL))
);
COMMENT ON COLUMN products.code IS 'Its id within the source: the application''s foodId, the GTIN, the code of the table';
COMMENT ON COLUMN products.gtin IS 'With 14 digits, zeros before; in-store numbers only in an application''s own products';
COMMENT ON COLUMN products.reference IS 'The food it is, where the source says so: food:<id of our catalogue> or ciqual:<code>';
COMMENT ON COLUMN products.name_key IS 'Its words, for finding it by name; null where its name tells no more than the reference foods do';
COMMENT ON COLUMN products.nutrition IS 'For 100 g; members that the source leaves open are absent';
COMMENT ON COLUMN products.revision IS 'The import that last changed it';
CREATE INDEX products_by_gtin ON products (gtin) WHERE gtin IS NOT NULL;
CREATE INDEX products_by_name ON products (name_key) WHERE name_key IS NOT NULL;
CREATE INDEX products_by_words ON products USING gin (to_tsvector('simple', name));
