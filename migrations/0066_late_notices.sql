-- Expiries whose day passed before the job announced them: nobody loses points without a notice.
ALTER TABLE expiry_notices ADD COLUMN late_at timestamptz;
COMMENT ON COLUMN expiry_notices.late_at IS 'When points were announced whose time had passed; null: in time. None of the user expire within a notice after it';
