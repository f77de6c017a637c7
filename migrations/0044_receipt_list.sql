-- The list of an application's receipts, newest first: an id begins with the time of its acceptance.
CREATE INDEX receipts_by_application ON receipts (application_id, id);
-- All receipts with a reference, also those that failed and have released it.
CREATE INDEX receipts_by_reference ON receipts (application_id, reference, id);
