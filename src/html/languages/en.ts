import type { Phrases } from "../phrases.ts";

export const en: Phrases = {
  tag: "en",
  name: "English",
  direction: "ltr",
  locale: "en-GB",
  languages: "Language",
  points: { one: "{n} point", other: "{n} points" },

  enrolment: {
    title: (app) => `Join the rewards of ${app}?`,
    yourData: "About you",
    fields: {
      name: "Name",
      email: "E-mail",
      country: "Country",
      city: "City",
      postalCode: "Postal code",
      imageUrl: "Picture",
    },
    correct: (app) => `Something is not right? Change it in ${app} before you join.`,
    accept: "Accept and join",
    decline: "Decline",
    undecided: "Please choose one of the two.",
    accepted: { title: "You have joined", text: "You can close this page." },
    declined: { title: "You have not joined", text: "Nothing about you was kept. You can close this page." },
  },

  consent: {
    version: "consent/2",
    intro: (app) => `${app} gives you points for food that is better for you and for the climate.`,
    sharedTitle: "What is shared",
    shared: [
      "What is shown about you below.",
      "The receipts you hand in and the meals you record: shop, date, items and amounts.",
    ],
    purposeTitle: "What for",
    purposes: (app) => [
      "To grade each item for health and climate, and to give you points.",
      `To tell ${app} your items, their grades and your points.`,
      "To notice when a receipt is handed in twice.",
    ],
    choiceTitle: "Your choice",
    choice: (app) =>
      `Joining is up to you. You can ask ${app} at any time to end it, to show you your data or to erase it.`,
  },

  receipt: {
    title: "Send a receipt",
    hint: "Lay it flat in good light, and have all of it in the picture: from the shop’s name to the total.",
    photo: "Photo of the receipt",
    formats: "JPEG or PNG, at most {size}",
    takePhoto: "Take a photo",
    choosePicture: "Choose a picture",
    preparing: "One moment…",
    preview: "Your photo of the receipt",
    rotate: "Rotate",
    another: "Another photo",
    send: "Send receipt",
    sending: "Sending your photo",
    checking: "Sent. One moment…",
    lost: "No connection. Your photo is kept, and is sent as soon as you are back online.",
    tryNow: "Try now",
    details: {
      title: "Shop or total hard to read?",
      hint: "Only if the photo doesn’t show it clearly. Both may be left empty.",
      merchantName: "Name of the shop",
      amount: "Total paid",
    },
    advice: {
      dark: "The photo is rather dark. More light helps.",
      blurred: "The print looks blurred. Hold the phone still and tap on the receipt to focus.",
      small: "The photo is small. A larger one is read better.",
      cut: "The print runs over the edge. Is all of the receipt in the picture?",
    },
    errors: {
      missing: "Please take or choose a photo first.",
      not_an_image: "This file is not a photo we can read. Please use a JPEG or PNG picture.",
      too_large: "This photo is too large. It may have {size} and {megapixels} megapixels.",
      unreadable: "The photo did not arrive whole. Please send it again.",
      refused:
        "This receipt cannot be taken with what the app sent about it. Please go back to the app and start again.",
      merchantName: "Please use at most 255 characters.",
      amount: "Please enter an amount such as 12.50.",
    },
  },

  progress: {
    title: { running: "Reading your receipt", Completed: "Thank you!", Failed: "No points this time" },
    wait: "Your photo has arrived. This takes a few seconds; you don’t have to wait here.",
    stages: {
      Uploaded: "Photo received",
      Extracted: "Reading the receipt",
      Enriched: "Recognising the foods",
      Validated: "Checking the receipt",
      Scored: "Counting the points",
    },
    done: "done",
    lookAgain: "Show the result",
    merchant: "Shop",
    date: "Date",
    total: "Total",
    items: "What we found",
    health: "Health",
    climate: "Climate",
    gradesMean: "Grades go from A (best) to E.",
    withoutPoints: "Without points",
    noPoints: "Nothing on this receipt earns points.",
    failures: {
      MERCHANT_NAME_NOT_FOUND: {
        title: "We could not see which shop it is from",
        text: "Please start again with a photo that shows the top of the receipt clearly.",
      },
      NO_VALID_FOOD_ITEMS: {
        title: "We found no food on this receipt",
        text: "Points are given for food and drink only. Is it there but missing here? Try a sharper photo.",
      },
      NOT_AUTHENTIC: {
        title: "We could not confirm this receipt",
        text: "Please send a photo of your own paper receipt, whole and unchanged.",
      },
      ALREADY_EXISTS: {
        title: "This receipt was sent before",
        text: "Each receipt counts once, so there is nothing left to do.",
      },
      INTERNAL_ERROR: {
        title: "Something went wrong on our side",
        text: "It is not your photo. Please start again a little later.",
      },
    },
    back: (app) => `Back to ${app}`,
    leaving: (app) => `You are taken back to ${app} in a moment.`,
    stay: "Stay on this page",
    close: "You can close this page.",
  },

  problem: {
    sessionNotFound: {
      title: "This link does not work any more",
      text: "It was used before, its time is over, it was tried too often, or it is not complete. Please go back to the app and start again.",
    },
    unavailable: { title: "Please try again in a moment", text: "The service is busy or starting. Nothing was lost." },
    other: { title: "This did not work", text: "Something went wrong. Please go back to the app and start again." },
  },
};
