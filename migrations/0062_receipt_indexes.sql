-- Two indexes of 0017 that 0046 replaced: no statement reads them any more, and every step of a receipt wrote them.
-- receipts_unfinished (0005) goes in a later release: processes of the version before still read it.
DROP INDEX receipts_waiting;
DROP INDEX receipts_waiting_of_user;
