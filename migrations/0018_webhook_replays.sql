-- Replays that an application requested. One of them at a time is carried out for an application, in chunks.
CREATE TABLE webhook_replays (
  id uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications (id),
  endpoint_id uuid NOT NULL REFERENCES endpoints (id) ON DELETE CASCADE,
  only_failed boolean NOT NULL,
  from_id uuid NOT NULL,
  replayed integer NOT NULL,
  created_at timestamptz NOT NULL,
  advanced_at timestamptz,
  finished_at timestamptz
);
COMMENT ON COLUMN webhook_replays.from_id IS 'Events with a higher id are still to be sent again';
COMMENT ON COLUMN webhook_replays.replayed IS 'Deliveries made due so far';
COMMENT ON COLUMN webhook_replays.advanced_at IS 'The last chunk; null before the first';
CREATE INDEX webhook_replays_unfinished ON webhook_replays (application_id, id) WHERE finished_at IS NULL;
CREATE INDEX webhook_replays_by_endpoint ON webhook_replays (endpoint_id);
