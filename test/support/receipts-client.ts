// An application that uploads receipts to the module of receipts.
import { randomBytes } from "node:crypto";
import type { LightMyRequestResponse } from "fastify";
import type { Application } from "../../src/applications/application.ts";
import type { Server } from "../../src/http/server.ts";
import type { ExcludedItem, Item } from "../../src/points/schema.ts";
import type { Database } from "../../src/postgres/postgres.ts";
import { NO_EFFECTS } from "../../src/users/enrolment.ts";
import { enrolUser } from "../../src/users/store.ts";
import type { ExtractedData, ReceiptCheck } from "../../src/webhooks/event.ts";
import { multipart } from "./multipart.ts";
import type { Form } from "./multipart.ts";

export interface TestClient {
  readonly application: Application;
  readonly headers: Record<string, string>;
  enrol(email?: string): Promise<string>;
  /** Uploads a form; a member of `fields` is one field, or several. */
  upload(form: Form, query?: string): Promise<LightMyRequestResponse>;
  /** Uploads a form that is expected to be accepted; returns the receipt's id. */
  accepted(form: Form, query?: string): Promise<string>;
  status(id: string): Promise<Status>;
}

interface StoredImage {
  blobUrl: string | null;
  blobName: string;
}

/** The members of a status document that tests read. */
export interface Status {
  readonly status: string;
  readonly transactionId: string;
  readonly errorCode: string | null;
  readonly held?: boolean;
  readonly errorMessage: string | null;
  readonly receiptStatusDoc: {
    readonly status: number;
    readonly uploadStateData: StoredImage & {
      receiptSource: string;
      errorMessage: string;
      images?: StoredImage[];
    };
    readonly extractedStateData?: { errorMessage: string; extractedData: ExtractedData };
    readonly enrichStateData?: { errorMessage: string; businessName: string; businessID: string };
    readonly validatedStateData?: { checks: ReceiptCheck[] };
    readonly scoredStateData?: { items: Item[]; excludedItems: ExcludedItem[]; totals: object };
    readonly completedStateData?: { transactionID: string; totalPoints: number };
    readonly failedStateData?: { checks: ReceiptCheck[] };
  };
}

/** What receipts are uploaded to. */
interface Uploaded {
  readonly server: Server;
  readonly database: Database;
  readonly clock: { readonly now: Date };
}

export function receiptsClient(
  { server, database, clock }: Uploaded,
  application: Application,
  secret: string,
  newId: () => string,
): TestClient {
  const headers = { "x-client-id": application.clientId, "x-client-secret": secret };
  const upload: TestClient["upload"] = async (form, query = "") => {
    const { headers: ofForm, payload } = await multipart(form);
    const url = `/track/receipts?api-version=1.0${query}`;
    return server.inject({ method: "POST", url, headers: { ...headers, ...ofForm }, payload });
  };
  return {
    application,
    headers,
    enrol: async (email = `${randomBytes(6).toString("hex")}@example.org`) => {
      const enrollment = { email, firstName: "Ada", lastName: "Lovelace" };
      const person = { id: newId(), applicationId: application.id, enrollment, now: clock.now };
      return (await database.tx((tx) => enrolUser(tx, person, NO_EFFECTS))).user.id;
    },
    upload,
    accepted: async (form, query) => {
      const response = await upload(form, query);
      if (response.statusCode !== 200) throw new Error(response.body);
      return response.json<{ receiptID: string }>().receiptID;
    },
    status: async (id) => {
      const url = `/track/receipts/${id}/status?api-version=1.0`;
      const response = await server.inject({ url, headers });
      if (response.statusCode !== 200) throw new Error(response.body);
      return response.json<Status>();
    },
  };
}
