-- What each campaign of an application has given. A record that a campaign adds points to holds its row, so that a
-- budget is never exceeded. The row stays when users are erased: what was given was given.
CREATE TABLE campaign_usage (
  application_id uuid NOT NULL REFERENCES applications (id),
  campaign_id text NOT NULL,
  points bigint NOT NULL DEFAULT 0,
  users bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (application_id, campaign_id),
  CONSTRAINT campaign_usage_amounts CHECK (points >= 0 AND users >= 0 AND users <= points)
);

-- The users whom a campaign gave points: each counts once among its first users.
CREATE TABLE campaign_users (
  user_id uuid NOT NULL REFERENCES users (id),
  campaign_id text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, campaign_id)
);
