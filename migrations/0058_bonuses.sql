-- Bonuses have references of their own: each is used once among the bonuses of an application.
ALTER TABLE record_references DROP CONSTRAINT record_references_kind;
ALTER TABLE record_references ADD CONSTRAINT record_references_kind
  CHECK (kind IN ('adjustment', 'redemption', 'bonus')) NOT VALID;
ALTER TABLE record_references VALIDATE CONSTRAINT record_references_kind;
