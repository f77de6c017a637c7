-- On a Citus cluster a trigger is called where the schema is, by a connection without its search path, and its table
-- has the number of a shard at the end of its name.
ALTER FUNCTION delete_deliveries_of_events() SET search_path FROM CURRENT;
ALTER FUNCTION count_unknown_names() SET search_path FROM CURRENT;
CREATE OR REPLACE FUNCTION refuse_unless_outdated() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME ^@ 'changes' THEN
    IF OLD.at < now() - interval '400 days' THEN
      RETURN OLD;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT 1 FROM changes WHERE id = OLD.change_id AND at < now() - interval '400 days') THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
