import type { Submission } from "./schema.ts";

/** Bounds of one scoring tx. Ingredients are bounded too, so that 500 large meals are not one endless batch. */
const BATCH_INTAKES_MAX = 500;
const BATCH_INGREDIENTS_MAX = 1_000;

/** Splits intakes into batches of a bounded number of intakes and ingredients, in their order. */
export function* scoringBatches<Intake extends { readonly submission: Submission }>(
  intakes: readonly Intake[],
): Generator<Intake[]> {
  let batch: Intake[] = [];
  let ingredients = 0;
  for (const intake of intakes) {
    const size = Math.max(1, intake.submission.ingredients.length);
    if (batch.length > 0 && (batch.length >= BATCH_INTAKES_MAX || ingredients + size > BATCH_INGREDIENTS_MAX)) {
      yield batch;
      batch = [];
      ingredients = 0;
    }
    batch.push(intake);
    ingredients += size;
  }
  if (batch.length > 0) yield batch;
}
