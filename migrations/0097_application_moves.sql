-- Applications move from one cell to another (docs/operations.md). Meanwhile they are closed in both. The note of a
-- move stays where the application was.
CREATE TABLE cell (
  only_row boolean DEFAULT true,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT cell_pkey PRIMARY KEY (only_row),
  CONSTRAINT cell_only_row CHECK (only_row)
);
COMMENT ON COLUMN cell.id IS 'Names this cell: the two cells of a move must be two';
INSERT INTO cell DEFAULT VALUES;

ALTER TABLE applications ADD COLUMN closed_at timestamptz;
ALTER TABLE applications ADD COLUMN moved_to text;
COMMENT ON COLUMN applications.closed_at IS 'Since then all its calls are refused and its work rests: it is moving, or has moved. Suspended as well, which processes of the release before know';
COMMENT ON COLUMN applications.moved_to IS 'The address of the cell that it has moved to; null: it is here, or on its way';

CREATE TABLE application_moves (
  application_id uuid NOT NULL,
  direction text NOT NULL,
  state text NOT NULL,
  other_cell uuid NOT NULL,
  address text NOT NULL,
  suspended_at timestamptz,
  rows jsonb,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT application_moves_pkey PRIMARY KEY (application_id),
  CONSTRAINT application_moves_state CHECK (CASE direction WHEN 'out' THEN state IN ('closed', 'moved', 'done', 'removed')
                                                           WHEN 'in' THEN state IN ('arriving', 'arrived') ELSE false END)
);
COMMENT ON TABLE application_moves IS 'The last move of an application from here (out) or to here (in)';
COMMENT ON COLUMN application_moves.suspended_at IS 'That of the application before it was closed';
COMMENT ON COLUMN application_moves.rows IS 'Number of rows by table, as copied';

-- While an application is away or on its way, nothing changes the rows that were copied: any process, also one
-- of the release before, gets an error that means unavailable. The triggers are made for the time of a move.
-- Arguments: the application, how its rows are found, and whether a sweep may skip them (it deletes the rest).
CREATE FUNCTION refuse_while_moving() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  application CONSTANT uuid := TG_ARGV[0]::uuid;
  changed record;
  is_its boolean;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  IF TG_ARGV[1] = 'user' THEN
    is_its := EXISTS (SELECT 1 FROM users WHERE id = changed.user_id AND application_id = application);
  ELSIF TG_ARGV[1] = 'endpoint' THEN
    is_its := EXISTS (SELECT 1 FROM endpoints WHERE id = changed.endpoint_id AND application_id = application);
  ELSIF TG_ARGV[1] = 'source' THEN
    is_its := EXISTS (SELECT 1 FROM product_sources WHERE id = changed.source_id AND application_id = application);
  ELSIF TG_ARGV[1] = 'itself' THEN
    -- The steps of the move itself may pass: they close it, open it, or write its new address.
    is_its := changed.id = application AND NOT (TG_OP = 'UPDATE'
      AND to_jsonb(NEW) - '{closed_at,moved_to,suspended_at}'::text[] = to_jsonb(OLD) - '{closed_at,moved_to,suspended_at}'::text[]
      AND (NEW.closed_at, NEW.moved_to) IS DISTINCT FROM (OLD.closed_at, OLD.moved_to));
  ELSE
    is_its := changed.application_id = application;
  END IF;
  IF NOT coalesce(is_its, false) THEN RETURN changed; END IF;
  IF TG_OP = 'DELETE' AND TG_ARGV[2] = 'swept' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'application % is moving to another cell, or has moved', application USING ERRCODE = '57P0M';
END $$;
