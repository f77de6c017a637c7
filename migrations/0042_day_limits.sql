-- What an application lets each of its users earn on one UTC day of acceptance; null: as much as there is.
ALTER TABLE applications
  ADD COLUMN points_a_day integer CHECK (points_a_day >= 0),
  ADD COLUMN meals_a_day integer CHECK (meals_a_day >= 0),
  ADD COLUMN food_points_a_day integer CHECK (food_points_a_day >= 0);
COMMENT ON COLUMN applications.meals_a_day IS 'Meals that earn points; those beyond are rated and earn 0';
COMMENT ON COLUMN applications.food_points_a_day IS 'Points from tracked foods; points_a_day counts them too';
