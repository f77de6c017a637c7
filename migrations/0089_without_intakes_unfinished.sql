-- 0072 replaced it: no statement asks for state = 'received', but a meal or food of an older process wrote it.
-- Processes of the release before do not read it either; those before 0.6.0 are stopped first (docs/operations.md).
DROP INDEX intakes_unfinished;
