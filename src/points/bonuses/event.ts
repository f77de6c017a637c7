import { newEvent } from "../../webhooks/event.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import type { Posted } from "../balance.ts";
import type { Entry } from "../entry.ts";
import { movedEvent } from "../moved-event.ts";
import { presentRecord, rowOf } from "../transaction.ts";

/** The event of a bonus that was booked: the same as of one that an application gives. `id` is its own. */
export function bonusEvent(
  { entry, posted }: { readonly entry: Entry; readonly posted: Posted },
  id: string,
  at: Date,
): NewEvent {
  const { applicationId, userId, submissionId: subject } = entry;
  const { availablePoints, lifetimePoints } = posted;
  const balance = { availablePoints, lifetimePoints };
  const event = movedEvent({ transaction: presentRecord(rowOf(entry, posted)), balance });
  if (!event) throw new Error("a bonus has an event");
  return newEvent(id, { applicationId, userId, subject }, event, at);
}
