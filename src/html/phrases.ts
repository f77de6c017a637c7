import type { DisputeKind, ReceiptErrorCode } from "../webhooks/event.ts";

/** A phrase for each plural form of a language (CLDR plural rules); `{n}` is replaced by the number. */
export type Counted = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

interface Message {
  readonly title: string;
  readonly text: string;
}

/**
 * All texts of the hosted pages. A language is one file with such an object, and a line in `language.ts`.
 * `app` is always the application's name.
 */
export interface Phrases {
  /** BCP 47. */
  readonly tag: string;
  /** The name of the language in the language itself. */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  /** Locale of numbers, money and dates if the person's country is unknown. */
  readonly locale: string;
  /** Label of the list of languages. */
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
    /** `{size}` is replaced by the limit of bytes. */
    readonly formats: string;
    readonly takePhoto: string;
    readonly choosePicture: string;
    readonly preparing: string;
    readonly preview: string;
    readonly rotate: string;
    readonly another: string;
    /** Further photos of a long receipt; the number of one of them. */
    readonly parts: {
      readonly title: string;
      readonly hint: string;
      photo: (number: number) => string;
      remove: string;
    };
    readonly send: string;
    readonly sending: string;
    readonly checking: string;
    readonly lost: string;
    readonly tryNow: string;
    /** Details beside the photo that the application has not sent. */
    readonly details: {
      readonly title: string;
      readonly hint: string;
      readonly merchantName: string;
      readonly amount: string;
    };
    /** Advice about the photo; it can be sent all the same. */
    readonly advice: Readonly<Record<PhotoFlaw, string>>;
    /** In `too_large`, `{size}` and `{megapixels}` are replaced by the limits. */
    readonly errors: Readonly<Record<ImageError | DetailError, string>>;
  };

  readonly progress: {
    readonly title: Readonly<Record<"running" | "held" | "Completed" | "Failed", string>>;
    readonly wait: string;
    /** While it is held for review: what happens now. */
    held: (app: string) => string;
    readonly stages: Readonly<Record<"Uploaded" | "Extracted" | "Enriched" | "Validated" | "Scored", string>>;
    readonly done: string;
    /** Without script. */
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
    /** The points are not those of the first reading. */
    readonly changed: string;
    /** Why there are no points, and what to do. */
    readonly failures: Readonly<Record<ReceiptErrorCode, Message>>;
    back: (app: string) => string;
    leaving: (app: string) => string;
    readonly stay: string;
    readonly close: string;
  };

  /** Reporting what is wrong on a receipt. */
  readonly dispute: {
    /** The link on the result. */
    readonly open: string;
    readonly title: string;
    hint: (app: string) => string;
    readonly items: string;
    readonly notRead: string;
    readonly missing: string;
    readonly reported: string;
    full: (app: string) => string;
    readonly reports: string;
    thanks: (app: string) => string;
    readonly states: Readonly<Record<"open" | "accepted" | "rejected", string>>;
    /** The heading of the form about a line, a missing line, or a part of the receipt's head. */
    readonly ask: Readonly<Record<"line" | "missing_line" | "wrong_merchant" | "wrong_date" | "wrong_total", string>>;
    readonly kinds: Readonly<Record<DisputeKind, string>>;
    readonly expected: string;
    readonly missingName: string;
    readonly price: string;
    readonly note: string;
    readonly send: string;
    readonly cancel: string;
    readonly back: string;
    readonly errors: Readonly<Record<"kind" | "name" | "number" | "date", string>>;
  };

  readonly problem: Readonly<Record<"sessionNotFound" | "unavailable" | "other", Message>>;
}

/** The consent text. If its words change, its version must change too. */
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

/** A flaw that the script finds in a photo before it is sent. */
export type PhotoFlaw = "dark" | "blurred" | "small" | "cut";

/** Why a photo was not accepted. */
export type ImageError = "missing" | "not_an_image" | "too_large" | "unreadable" | "refused";

/** The detail beside the photo that is invalid. */
export type DetailError = "merchantName" | "amount";

/** Returns the consent as one text, as shown on the page: it is stored with a decision. */
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
