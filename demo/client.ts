/** What the CLI prints of a new application, once. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
}

export interface User {
  readonly userID: string;
  readonly email: string;
  readonly lifetimePoints: number;
  readonly availablePoints: number;
  readonly numOfTransactions: number;
  readonly totalCarbonScore: number;
  readonly totalGreenProducts: number;
}

export interface Item {
  readonly name: string;
  readonly matchedIngredientName: string;
  readonly totalCO2e: number;
  readonly carbonImpactRating: number | null;
  readonly healthImpactRating: number | null;
  readonly totalServicePoints: number;
}

export interface ExcludedItem extends Item {
  readonly exclusionReason: string;
}

export interface Totals {
  readonly totalAmount: number;
  readonly currency: string;
  readonly totalPoints: number;
  readonly totalCo2e: number;
}

interface Finished {
  readonly createdAt: string;
}

/** What the demo reads of a receipt's status; a stage that has not finished is absent. */
export interface ReceiptStatus {
  readonly status: string;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly receiptStatusDoc: {
    readonly uploadStateData: Finished;
    readonly extractedStateData?: Finished & {
      readonly extractedData: {
        readonly merchantName: string | null;
        readonly currency: string | null;
        readonly total: number | null;
        readonly items: readonly object[];
      };
    };
    readonly enrichStateData?: Finished & { readonly items: readonly { readonly exclusionReason: string | null }[] };
    readonly validatedStateData?: Finished & { readonly checks: readonly { readonly outcome: string }[] };
    readonly scoredStateData?: Finished & {
      readonly items: readonly Item[];
      readonly excludedItems: readonly ExcludedItem[];
      readonly totals: Totals;
    };
    readonly completedStateData?: Finished & Totals;
  };
}

/** What the demo reads of a meal's or a food's status. */
export interface IntakeStatus {
  readonly status: string;
  readonly trackId: string;
  readonly createdAt: string;
  readonly lastUpdated: string;
  readonly errorType: string | null;
  readonly errorMessage: string | null;
  readonly scored?: {
    readonly items: readonly Item[];
    readonly excludedItems: readonly ExcludedItem[];
    readonly totalCo2e: number;
  };
  readonly completed?: { readonly totalPoints: number };
}

/** The calls that the demo makes. Each rejects with the problem document when it is refused. */
export interface Client {
  enrol(person: object): Promise<User>;
  uploadReceipt(fields: Readonly<Record<string, string>>, photo: Buffer): Promise<{ receiptID: string }>;
  receiptStatus(receiptId: string): Promise<ReceiptStatus>;
  track(kind: "meals" | "food", body: object): Promise<{ trackId: string }>;
  intakeStatus(kind: "meals" | "food", trackId: string): Promise<IntakeStatus>;
  summary(userId: string): Promise<User>;
  enrolmentPage(person: object): Promise<string>;
  receiptPage(request: object): Promise<string>;
}

const CALL_MS_MAX = 15_000;

/** A client of the API with an application's credentials: nothing but fetch, two headers and the version. */
export function createClient(url: string, { clientId, clientSecret }: Credentials): Client {
  const call = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}${path}?api-version=1.0`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "x-client-id": clientId,
        "x-client-secret": clientSecret,
        // Of a form fetch writes the type itself, with its boundary.
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_MS_MAX),
    });
    if (!response.ok) throw new Error(`${path} was answered by ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const session = async (path: string, body: object) => (await call<{ redirectUrl: string }>(path, body)).redirectUrl;

  return {
    enrol: async (person) => (await call<{ user: User }>("/users/enroll", person)).user,
    uploadReceipt: (fields, photo) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set("receiptImage", new Blob([new Uint8Array(photo)], { type: "image/jpeg" }), "receipt.jpg");
      return call("/track/receipts", form);
    },
    receiptStatus: (receiptId) => call(`/track/receipts/${receiptId}/status`),
    track: (kind, body) => call(`/track/${kind}`, body),
    intakeStatus: (kind, trackId) => call(`/track/${kind}/${trackId}/status`),
    summary: async (userId) => (await call<{ user: User }>(`/users/${userId}/summary`)).user,
    enrolmentPage: (person) => session("/users/enroll/session", person),
    receiptPage: (request) => session("/track/receipts/session", request),
  };
}
