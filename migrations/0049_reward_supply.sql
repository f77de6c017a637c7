-- What was put into the stock of a reward, so that a verification can compare it with what is left and what was taken.
ALTER TABLE rewards ADD COLUMN supply bigint;
ALTER TABLE rewards ADD COLUMN supplied_at timestamptz;
COMMENT ON COLUMN rewards.supply IS 'What is left of its stock (0 without one) and what live redemptions have taken; what an erasure removed is in neither';
COMMENT ON COLUMN rewards.supplied_at IS 'updated_at when the supply was last brought up to date: other times mean that it is unknown';
-- The table is locked by the change above: nobody redeems between the two sides of the sum.
UPDATE rewards SET supplied_at = updated_at, supply = coalesce(stock, 0) + (
  SELECT count(*) FROM redemptions
  WHERE reward_id = rewards.id AND took_stock AND state IN ('pending', 'completed'));
