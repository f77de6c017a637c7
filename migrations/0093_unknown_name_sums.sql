-- Counts of unknown names, kept: of 200,000 rows a list took 0.3 s, nearly all of it to count them. Whatever adds or
-- removes rows adds differences in its own statement: no two txs wait for each other, and nothing is counted twice or
-- not at all. A task adds them up. By triggers, so that the rows of a process of the release before count as well.
CREATE TABLE unknown_name_changes (
  application_id uuid NOT NULL,
  name_id uuid NOT NULL,
  kind uuid NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  source text NOT NULL,
  merchant_name text,
  merchant_key text NOT NULL,
  currency text NOT NULL,
  times int NOT NULL,
  amount_minor bigint NOT NULL,
  first_seen timestamptz NOT NULL,
  last_seen timestamptz NOT NULL
);
COMMENT ON TABLE unknown_name_changes IS 'Differences that are not yet added up. Without an index: it is read as a whole, and short';
COMMENT ON COLUMN unknown_name_changes.currency IS 'Empty: none';
COMMENT ON COLUMN unknown_name_changes.times IS 'Negative: rows were removed. Then the name is counted again, since its first and last time are unknown';

-- What a list is ordered by.
CREATE TABLE unknown_name_sums (
  application_id uuid NOT NULL,
  name_id uuid NOT NULL,
  currency text NOT NULL,
  times int NOT NULL,
  amount_minor bigint NOT NULL,
  first_seen timestamptz NOT NULL,
  last_seen timestamptz NOT NULL,
  CONSTRAINT unknown_name_sums_pkey PRIMARY KEY (application_id, name_id, currency)
);
COMMENT ON TABLE unknown_name_sums IS 'Of each name in each currency the rows of unknown_names, but for unknown_name_changes';

-- What is shown of the names of a page: of a frequent name far less than its rows.
CREATE TABLE unknown_name_kinds (
  LIKE unknown_name_changes,
  CONSTRAINT unknown_name_kinds_pkey PRIMARY KEY (application_id, name_id, kind)
);
COMMENT ON TABLE unknown_name_kinds IS 'The same by what is alike of rows but for their user and time';
COMMENT ON COLUMN unknown_name_kinds.kind IS 'Digest of the texts: they may be longer than an index allows';

CREATE FUNCTION unknown_name_kind(name text, source text, merchant_name text, merchant_key text, currency text)
  RETURNS uuid LANGUAGE sql STABLE RETURN
    left(encode(sha256(convert_to(ROW(name, source, merchant_name, merchant_key, currency)::text, 'UTF8')), 'hex'), 32)::uuid;
CREATE FUNCTION count_unknown_names() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign CONSTANT int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO unknown_name_changes (application_id, name_id, kind, name, name_key, source, merchant_name, merchant_key,
                                    currency, times, amount_minor, first_seen, last_seen)
  SELECT application_id, name_id, unknown_name_kind(name, source, merchant_name, merchant_key, currency), name, name_key,
         source, merchant_name, merchant_key, coalesce(currency, ''),
         sign * count(*), sign * sum(amount_minor), min(seen_at), max(seen_at)
  FROM changed GROUP BY 1, 2, 4, 5, 6, 7, 8, currency;
  RETURN NULL;
END $$;
-- From here on nobody adds a row until this is committed: some seconds for each million.
CREATE TRIGGER unknown_names_added AFTER INSERT ON unknown_names REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_unknown_names();
CREATE TRIGGER unknown_names_removed AFTER DELETE ON unknown_names REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_unknown_names();
INSERT INTO unknown_name_kinds (application_id, name_id, kind, name, name_key, source, merchant_name, merchant_key,
                                currency, times, amount_minor, first_seen, last_seen)
SELECT application_id, name_id, unknown_name_kind(name, source, merchant_name, merchant_key, currency), name, name_key,
       source, merchant_name, merchant_key, coalesce(currency, ''), count(*), sum(amount_minor), min(seen_at), max(seen_at)
FROM unknown_names GROUP BY 1, 2, 4, 5, 6, 7, 8, currency;
INSERT INTO unknown_name_sums (application_id, name_id, currency, times, amount_minor, first_seen, last_seen)
SELECT application_id, name_id, currency, sum(times), sum(amount_minor), min(first_seen), max(last_seen)
FROM unknown_name_kinds GROUP BY 1, 2, 3;

-- The names of some days: rows of these days alone are read, and of them this index alone.
CREATE INDEX unknown_names_in_time ON unknown_names (application_id, seen_at) INCLUDE (name_id, currency, amount_minor);
-- The users of a name, in the order in which they are counted. Nothing is counted by unknown_names_counted any more.
CREATE INDEX unknown_names_users ON unknown_names (application_id, name_id, user_id) INCLUDE (seen_at);
DROP INDEX unknown_names_counted;
