-- The country that most receipts of an application are from: what a receipt leaves open (a lone $, the order of day and
-- month) is read as there, unless its user has a country. Null: none is known.
ALTER TABLE applications ADD COLUMN country text;
ALTER TABLE applications ADD CONSTRAINT applications_country CHECK (country ~ '^[A-Z]{2}$');
