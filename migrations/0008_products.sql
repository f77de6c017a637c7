-- Where products come from. A source is removed with all its products, so that data under a share-alike licence
-- stays separate from everything else.
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
COMMENT ON COLUMN product_sources.application_id IS 'The owner of private products, which no other application sees; null: products for all applications';
COMMENT ON COLUMN product_sources.licence IS 'SPDX identifier if there is one';
COMMENT ON COLUMN product_sources.revision IS 'Counts the imports';

-- Products on sale. Values that a product lacks are taken from its reference food.
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
COMMENT ON COLUMN products.code IS 'Id within the source: the foodId of the application, the GTIN, or the code in the imported table';
COMMENT ON COLUMN products.gtin IS '14 digits, padded with zeros; in-store numbers only in the private products of an application';
COMMENT ON COLUMN products.reference IS 'The reference food, if the source names one: food:<id of our catalogue> or ciqual:<code>';
COMMENT ON COLUMN products.name_key IS 'The words of the name, for search by name; null if the name says no more than the reference foods do';
COMMENT ON COLUMN products.nutrition IS 'For 100 g; values that the source lacks are absent';
COMMENT ON COLUMN products.revision IS 'Number of the import that last changed the product';
CREATE INDEX products_by_gtin ON products (gtin) WHERE gtin IS NOT NULL;
CREATE INDEX products_by_name ON products (name_key) WHERE name_key IS NOT NULL;
CREATE INDEX products_by_words ON products USING gin (to_tsvector('simple', name));
