import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import { badge, dataTable, timeOf } from "../elements.ts";
import { addressOf } from "../page.ts";
import type { View } from "../page.ts";
import { boughtAt, stateBadge, totalOf } from "./parts.ts";
import { pictureOf } from "./picture.ts";
import type { Line, ReadReceipt, Reading } from "./types.ts";

/** Leads to the earlier receipt, which is below all that is known of this one. */
export function toSimilar(view: View): Html {
  const { similar } = view.language.phrases.receipts;
  return html`<p>${similar.lead} <a href="#similar">${similar.caption}</a></p>`;
}

/** The earlier receipt beside this one: both pictures, and each field with whether it is the same. */
export function similarReceipt(view: View, own: ReadReceipt, earlier: ReadReceipt): Html {
  const { receipts: words } = view.language.phrases;
  const { similar } = words;
  const address = addressOf(view, "receipts", `/${earlier.status.receiptID}`);
  return html`<section class="similar" aria-labelledby="similar">
    <h2 id="similar">${similar.title}</h2>
    <p>${similar.lead} ${stateBadge(view, earlier.status)} <a href="${address}">${similar.open}</a></p>
    ${comparison(view, own, earlier)}
    <div class="pair">${side(view, similar.this, own, earlier)} ${side(view, similar.earlier, earlier, own)}</div>
  </section>`;
}

/** The picture of one of the two, with the lines marked that the other one does not have. */
function side(view: View, label: string, one: ReadReceipt, other: ReadReceipt): Html {
  const { picture } = view.language.phrases.receipts;
  const marked = new Set(onlyIn(one.reading, other.reading));
  return html`<div>
    <h3>${label}</h3>
    ${
      one.status.receiptStatusDoc.uploadStateData.blobUrl === null
        ? html`<p class="hint">${picture.none}</p>`
        : pictureOf(view, one.reading, { isLinked: false, label, marked })
    }
  </div>`;
}

function comparison(view: View, own: ReadReceipt, earlier: ReadReceipt): Html {
  const { similar: words, facts, lines } = view.language.phrases.receipts;
  const here = own.reading;
  const there = earlier.reading;
  const isSameUser = own.status.userId === earlier.status.userId;
  const rows: readonly (readonly [string, string, string])[] = [
    [facts.shop, here.merchantName ?? "", there.merchantName ?? ""],
    [facts.bought, boughtAt(here), boughtAt(there)],
    [facts.total, totalOf(view, here.totalAmount, here.currency), totalOf(view, there.totalAmount, there.currency)],
    [facts.user, words.sameUser, isSameUser ? words.sameUser : words.otherUser],
    [lines.title, String(here.lines.length), String(there.lines.length)],
    [words.linesOnlyHere, namesOf(here, onlyIn(here, there)) || words.none, words.none],
    [words.linesOnlyThere, words.none, namesOf(there, onlyIn(there, here)) || words.none],
  ];
  const compared = rows.map(([name, left, right]) => {
    const isSame = left === right;
    return html`<tr class="${isSame ? "" : "differs"}">
      <th scope="row">${name}</th>
      <td><bdi>${left}</bdi></td>
      <td><bdi>${right}</bdi></td>
      <td>${isSame ? badge(words.same) : badge(words.differs, "warning")}</td>
    </tr>`;
  });
  const accepted = html`<tr>
    <th scope="row">${facts.accepted}</th>
    <td>${timeOf(view, own.status.receiptStatusDoc.uploadStateData.createdAt)}</td>
    <td>${timeOf(view, earlier.status.receiptStatusDoc.uploadStateData.createdAt)}</td>
    <td></td>
  </tr>`;
  return dataTable({
    label: words.caption,
    caption: words.caption,
    columns: [null, words.this, words.earlier, words.result],
    rows: [...compared, accepted],
    look: "dense",
  });
}

const keyOf = ({ name, totalPrice }: Line) => `${name} ${totalPrice.toFixed(2)}`;

/** Lines of one reading, from 0, without one of the same name and price in the other. */
function onlyIn({ lines }: Reading, other: Reading): number[] {
  const left = other.lines.map(keyOf);
  return lines.flatMap((line, i) => {
    const at = left.indexOf(keyOf(line));
    if (at === -1) return [i];
    left.splice(at, 1);
    return [];
  });
}

function namesOf({ lines }: Reading, chosen: readonly number[]): string {
  return chosen.map((i) => keyOf(lines[i]!)).join(", ");
}
