import assert from "node:assert/strict";
import { test } from "node:test";
import type { Meters } from "../../meters.ts";
import { countFigures } from "./counted.ts";

test("figures count by their kind, without applications, shops and endpoints; what is taken back counts for points", () => {
  const counts: string[] = [];
  const meters: Meters = {
    count: (name, labels, amount) => void counts.push(`${name} ${Object.values(labels).join(",")} ${amount}`),
    time: () => assert.fail("nothing is measured"),
  };
  countFigures(meters, [
    { figure: "points.health.meal", added: 5, taken: 0 },
    { figure: "points.adjusted", added: 7, taken: 2 },
    { figure: "points.redeemed", added: 0, taken: 40 },
    { figure: "points.bonus.welcome", added: 9, taken: 0 },
    { figure: "award.receipt", added: 1, taken: 0 },
    { figure: "failed.meal.OLD_MEAL_LOG", added: 3, taken: 1 },
    { figure: "failed.receipt.NOT_AUTHENTIC", added: 0, taken: 1 },
    { figure: "rated.food", added: 2, taken: 0 },
    { figure: "left.receipt.not_food", added: 4, taken: 0 },
    { figure: "webhook.00000000-0000-0000-0000-000000000000.first.200", added: 6, taken: 0 },
    { figure: "webhook.00000000-0000-0000-0000-000000000000.failed", added: 1, taken: 0 },
  ]);
  assert.deepEqual(counts, [
    "rewards_points_issued_total health 5",
    "rewards_points_issued_total adjusted 7",
    "rewards_points_taken_total adjusted 2",
    "rewards_points_taken_total redeemed 40",
    "rewards_points_issued_total bonus 9",
    "rewards_submissions_total receipt,credited 1",
    "rewards_submissions_total meal,OLD_MEAL_LOG 3",
    "rewards_items_total food,rated 2",
    "rewards_items_total receipt,not_food 4",
    "rewards_deliveries_ended_total first 6",
    "rewards_deliveries_ended_total failed 1",
  ]);
});
