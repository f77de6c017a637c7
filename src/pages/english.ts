/**
 * What the hosted pages say, in English. Another language is another such object.
 * `app` is the application's name. The text of the consent belongs to its version: changing one means changing both.
 */
export const english = {
  tag: "en",
  direction: "ltr",

  enrolment: {
    title: (app: string) => `Join the rewards of ${app}?`,
    yourData: "About you",
    fields: {
      name: "Name",
      email: "E-mail",
      country: "Country",
      city: "City",
      postalCode: "Postal code",
      imageUrl: "Picture",
    },
    correct: (app: string) => `Something is not right? Change it in ${app} before you join.`,
    accept: "Accept and join",
    decline: "Decline",
    undecided: "Please choose one of the two.",
    accepted: { title: "You have joined", text: "You can close this page." },
    declined: { title: "You have not joined", text: "Nothing about you was kept. You can close this page." },
  },

  consent: {
    version: "consent/1",
    intro: (app: string) =>
      `${app} offers you points for buying and eating food that is better for you and for the climate.`,
    sharedTitle: "What is shared",
    shared: [
      "Your name, your e-mail address and what else is shown below.",
      "The receipts you hand in, and the meals and foods you record: shop, date, items and amounts.",
    ],
    purposeTitle: "Why",
    purposes: (app: string) => [
      "To read what you bought or ate, to grade each item for health and climate, and to give you points for it.",
      `To tell ${app} the result: your items, their grades and your points.`,
      "To recognise receipts that were handed in before.",
    ],
    choiceTitle: "Your choice",
    choice: (app: string) =>
      `Joining is up to you. You can ask ${app} at any time to end it, to see your data or to have it erased.`,
  },

  receipt: {
    title: "Hand in a receipt",
    hint: "Lay the receipt flat, in good light, with all of it in the picture, from the shop's name to the total.",
    photo: "Photo of the receipt",
    formats: "JPEG or PNG, at most 10 MB",
    chooseFile: "Choose a picture instead of taking one",
    preview: "The photo you chose",
    send: "Send receipt",
    sending: "Sending…",
    lost: "The connection was lost. Your photo is still here: please send it again.",
    faults: {
      missing: "Please take or choose a photo first.",
      not_an_image: "This file is not a photo we can read. Please use a JPEG or PNG picture.",
      too_large: "This photo is too large. It may have 10 MB and 50 megapixels.",
      unreadable: "The photo did not arrive whole. Please send it again.",
      refused:
        "This receipt cannot be taken with what the app sent about it. Please go back to the app and start again.",
    },
  },

  progress: {
    title: {
      running: "We are reading your receipt",
      Completed: "Your receipt has been read",
      Failed: "No points this time",
    },
    wait: "This takes a few seconds. You can stay here or go back: your receipt has arrived.",
    stages: {
      Uploaded: "Photo received",
      Extracted: "Receipt read",
      Enriched: "Foods recognised",
      Validated: "Receipt checked",
      Scored: "Points counted",
    },
    done: "done",
    merchant: "Shop",
    total: "Total",
    items: "What we found",
    item: "Item",
    health: "Health",
    climate: "Climate",
    points: "Points",
    pointsEarned: (points: string) => (points === "1" ? "1 point" : `${points} points`),
    withoutPoints: "Without points",
    grade: (kind: string, letter: string) => `${kind} ${letter}`,
    failures: {
      MERCHANT_NAME_NOT_FOUND:
        "We could not see which shop the receipt is from. Start again with a photo that shows the top of the receipt.",
      NO_VALID_FOOD_ITEMS: "We found no food on this receipt. Points are given for food and drink only.",
      NOT_AUTHENTIC:
        "We could not confirm this receipt. Please hand in a photo of your own paper receipt, whole and unchanged.",
      ALREADY_EXISTS: "This receipt was handed in before. Each receipt counts once.",
      INTERNAL_ERROR: "Something went wrong on our side. Please start again later.",
    },
    back: (app: string) => `Back to ${app}`,
    leaving: (app: string) => `You will be taken back to ${app} in a moment.`,
    close: "You can close this page.",
  },

  problem: {
    sessionNotFound: {
      title: "This link does not work any more",
      text: "It was opened before, its time is over, or it is not complete. Please go back to the app and start again.",
    },
    unavailable: { title: "Please try again in a moment", text: "The service is busy or starting. Nothing was lost." },
    other: { title: "This did not work", text: "Something went wrong. Please go back to the app and start again." },
  },
} as const;

/** Every phrase of the pages; a language is complete when it has this type. */
export type Phrases = typeof english;
