import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { OcrFailure } from "../../src/ocr/ocr.ts";
import { runCommand } from "./commands.ts";
import { GROCERIES, formFor, pageOf } from "./groceries.ts";
import { startService } from "./service.ts";
import type { Client, TestService } from "./service.ts";
import { acceptedReceipt, statusUntil } from "./uploads.ts";

/** A working service, and receipts of its application that a person can act on. */
export interface ReceiptSubjects {
  readonly service: TestService;
  readonly client: Client;
  /** A receipt that failed as INTERNAL_ERROR. Returns its id, as the others. */
  failed(): Promise<string>;
  held(): Promise<string>;
  completed(): Promise<string>;
  /** Returns the id of an open dispute. */
  disputed(): Promise<string>;
}

interface Status {
  readonly status: string;
  readonly errorCode: string | null;
  readonly held?: boolean;
}

/** Starts the service. Its receipts must be made one after the other: a new image is read as what was set last. */
export async function startReceiptSubjects(): Promise<ReceiptSubjects> {
  const page = { read: async () => pageOf(GROCERIES) };
  // An image that is read again, when its receipt is retried, must not give the purchase of a later one.
  const readOf = new Map<string, typeof page.read>();
  const service = await startService({
    ocr: {
      read: (image) => {
        assert.ok("path" in image);
        const read = readOf.get(image.path) ?? page.read;
        readOf.set(image.path, read);
        return read();
      },
      close: async () => {},
    },
  });
  const client = await service.newClient();
  const review = ["app", "review", "--client-id", client.clientId];
  await runCommand(service.database, review.concat("--hold-on", "amount_as_declared"));

  let receipts = 0;
  /** Uploads another purchase each time: a minute later, by another user. */
  const made = async (amount: string, isFinal: (status: Status) => boolean, isReadable = true) => {
    const time = `11:${String(receipts++).padStart(2, "0")}`;
    const printed = pageOf(GROCERIES.map((row) => row.replace("10:41", time)));
    page.read = async () => {
      if (!isReadable) throw new OcrFailure("unreadable", "test");
      return printed;
    };
    const transactionTimestamp = `2026-10-24T${time}:00+01:00`;
    const fields = formFor(await client.enrol(), { amount, transactionTimestamp });
    const id = await acceptedReceipt(service, client, { fields });
    await statusUntil(client, id, isFinal);
    return id;
  };
  const completed = () => made("7.40", ({ status }) => status === "Completed");
  return {
    service,
    client,
    failed: () => made("7.40", ({ errorCode }) => errorCode === "INTERNAL_ERROR", false),
    held: () => made("99.00", ({ held }) => held === true),
    completed,
    disputed: async () => openDispute(service, await completed()),
  };
}

/** Stores a dispute as the hosted page does; returns its id. */
export async function openDispute({ database }: Pick<TestService, "database">, receiptId: string): Promise<string> {
  const id = randomUUID();
  const text = `INSERT INTO receipt_disputes (user_id, receipt_id, number, id, kind, opened_at)
    SELECT user_id, id, 1, $2, 'wrong_total', now() FROM receipts WHERE id = $1`;
  await database.query({ name: "test.dispute", text }, [receiptId, id]);
  return id;
}
