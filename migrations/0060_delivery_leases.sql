-- Processes that send events right after the commit that stores them. Such an event has no rows in deliveries until
-- its attempts have outcomes, so a delivery that succeeds at once is written once. When a process is killed, its lease
-- ends, and another process stores what was not sent as pending deliveries.
CREATE TABLE delivery_leases (
  id bigint PRIMARY KEY,
  leased_until timestamptz NOT NULL,
  since timestamptz NOT NULL
);
COMMENT ON COLUMN delivery_leases.id IS 'Microseconds of 1970 at which it was opened: no sequence, which a restore would set back';
COMMENT ON COLUMN delivery_leases.leased_until IS 'The process extends it as long as it lives';
COMMENT ON COLUMN delivery_leases.since IS 'All events of this lease from before have their deliveries';

-- No reference: a lease is deleted when nothing of it is left to send.
ALTER TABLE events ADD COLUMN lease_id bigint;
COMMENT ON COLUMN events.lease_id IS 'The lease under which it was stored; null: its deliveries were stored with it';
