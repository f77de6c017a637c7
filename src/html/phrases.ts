import type { ReceiptErrorCode } from "../webhooks/event.ts";

/** A phrase for each way in which a language counts (CLDR plural rules); `{n}` stands for the number. */
export type Counted = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

interface Message {
  readonly title: string;
  readonly text: string;
}

/**
 * All that the hosted pages say. A language is one file that holds one of these, and a line in `language.ts`.
 * `app` is always the application's name.
 */
export interface Phrases {
  /** BCP 47. */
  readonly tag: string;
  /** What its speakers call it. */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  /** In which numbers, money and dates are written where nobody says from which country they are. */
  readonly locale: string;
  /** Says what the list of languages is for. */
  readonly languages: string;
  readonly points: Counted;

  readonly enrolment: {
    title: (app: string) => string;
    readonly yourData: string;
    readonly fields: Readonly<Record<"name" | "email" | "country" | "city" | "postalCode" | "imageUrl", string>>;
    correct: (app: string) => string;
    readonly accept: string;
    readonly decline: string;
    readonly undecided: string;
    readonly accepted: Message;
    readonly declined: Message;
  };

  readonly consent: Consent;

  readonly receipt: {
    readonly title: string;
    readonly hint: string;
    readonly photo: string;
    readonly formats: string;
    readonly takePhoto: string;
    readonly choosePicture: string;
    readonly preparing: string;
    readonly preview: string;
    readonly rotate: string;
    readonly another: string;
    readonly send: string;
    readonly sending: string;
    readonly checking: string;
    readonly lost: string;
    readonly tryNow: string;
    /** What may be told beside the photo, where the application has not told it. */
    readonly details: {
      readonly title: string;
      readonly hint: string;
      readonly merchantName: string;
      readonly amount: string;
    };
    /** What a look at the photo suggests; nobody is held up by it. */
    readonly advice: Readonly<Record<PhotoFlaw, string>>;
    readonly errors: Readonly<Record<ImageError | DetailError, string>>;
  };

  readonly progress: {
    readonly title: Readonly<Record<"running" | "Completed" | "Failed", string>>;
    readonly wait: string;
    readonly stages: Readonly<Record<"Uploaded" | "Extracted" | "Enriched" | "Validated" | "Scored", string>>;
    readonly done: string;
    /** Where nothing moves by itself. */
    readonly lookAgain: string;
    readonly merchant: string;
    readonly date: string;
    readonly total: string;
    readonly items: string;
    readonly health: string;
    readonly climate: string;
    readonly gradesMean: string;
    readonly withoutPoints: string;
    readonly noPoints: string;
    /** Why there are no points, and what to do about it. */
    readonly failures: Readonly<Record<ReceiptErrorCode, Message>>;
    back: (app: string) => string;
    leaving: (app: string) => string;
    readonly stay: string;
    readonly close: string;
  };

  readonly problem: Readonly<Record<"sessionNotFound" | "unavailable" | "other", Message>>;
}

/** The text that is agreed to. Its words belong to its version: changing one means changing both. */
export interface Consent {
  readonly version: string;
  intro: (app: string) => string;
  readonly sharedTitle: string;
  readonly shared: readonly string[];
  readonly purposeTitle: string;
  purposes: (app: string) => readonly string[];
  readonly choiceTitle: string;
  choice: (app: string) => string;
}

/** What the script finds in a photo before it is sent. */
export type PhotoFlaw = "dark" | "blurred" | "small" | "cut";

/** Why a photo was not taken. */
export type ImageError = "missing" | "not_an_image" | "too_large" | "unreadable" | "refused";

/** What is wrong with what was typed beside it. */
export type DetailError = "merchantName" | "amount";

/** The consent as one text, as it stands on the page: what is kept with a decision. */
export function consentText(consent: Consent, app: string): string {
  return [
    consent.intro(app),
    consent.sharedTitle,
    ...consent.shared.map((line) => `- ${line}`),
    consent.purposeTitle,
    ...consent.purposes(app).map((line) => `- ${line}`),
    consent.choiceTitle,
    consent.choice(app),
  ].join("\n");
}
