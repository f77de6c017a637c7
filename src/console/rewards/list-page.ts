import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { RewardDocument } from "../../rewards/schema.ts";
import { badge, dataTable } from "../elements.ts";
import { day, monthOf, number } from "../format.ts";
import { addressOf, consolePage } from "../page.ts";
import type { View } from "../page.ts";
import { pager } from "../pager.ts";
import { doneNotice } from "../problem.ts";

/** Points of a month, from the report of points. */
export interface RedeemedMonth {
  readonly from: string;
  readonly redeemed: number;
  readonly refunded: number;
}

export interface ListContent {
  readonly rewards: readonly RewardDocument[];
  readonly count: number;
  readonly page: number;
  readonly months: readonly RedeemedMonth[];
  readonly done: string | null;
  readonly now: string;
}

/** The catalogue, and what was redeemed. */
export function rewardsPage(view: View, content: ListContent): PageDocument {
  const { rewards } = view.language.phrases;
  const { count, page, done } = content;
  return consolePage(view, {
    title: rewards.title,
    section: "rewards",
    isWide: true,
    main: html`${doneNotice(rewards.done, done)}
    ${
      view.rights.has("manage") &&
      html`<p><a class="button" href="${addressOf(view, "rewards", "/new")}">${rewards.add}</a></p>`
    }
    ${content.rewards.length === 0 ? html`<p class="lead">${rewards.none}</p>` : tableOf(view, content)}
    ${pager(view, { page, count, addressOfPage: (to) => addressOf(view, "rewards", "", { page: String(to) }) })}
    ${redeemedTable(view, content.months)}`,
  });
}

function tableOf(view: View, { rewards: listed, now }: ListContent): Html {
  const { rewards } = view.language.phrases;
  const { columns } = rewards;
  const { name, price, stock, codes, valid, tier } = columns;
  const rows = listed.map(
    (reward) =>
      html`<tr>
        <td>
          <a href="${addressOf(view, "rewards", `/${reward.id}`)}"><bdi>${reward.name}</bdi></a>
          ${stateBadge(view, reward, now)}
          ${reward.brand !== "" && html`<br /><span class="soft"><bdi>${reward.brand}</bdi></span>`}
        </td>
        <td class="num">${number(view.language, reward.points)}</td>
        <td class="num">${leftOf(view, reward)}</td>
        <td>${codesOf(view, reward)}</td>
        <td>${validityOf(view, reward)}</td>
        <td>${rewards.tiers[reward.tier] ?? ""}</td>
      </tr>`,
  );
  return dataTable({
    label: rewards.title,
    columns: [name, { number: price }, { number: stock }, codes, valid, tier],
    rows,
  });
}

/** Whether nobody can have it now; null while somebody can. */
export function stateBadge(view: View, { stock, freeCodes, validTill }: RewardDocument, now: string): Html | null {
  const { rewards } = view.language.phrases;
  if (validTill !== null && validTill <= now) return badge(rewards.ended);
  return stock === 0 || freeCodes === 0 ? badge(rewards.soldOut, "warning") : null;
}

export function leftOf({ language }: View, { stock }: RewardDocument): string {
  return stock === null ? language.phrases.rewards.anyNumber : number(language, stock);
}

export function codesOf({ language }: View, { codes, freeCodes }: RewardDocument): string {
  const { codeKinds, freeCodes: free } = language.phrases.rewards;
  return freeCodes === null ? codeKinds[codes] : free(number(language, freeCodes));
}

export function validityOf({ language }: View, { validFrom, validTill }: RewardDocument): string {
  const { always, from, till } = language.phrases.rewards;
  const parts = [
    ...(validFrom === null ? [] : [from(day(language, validFrom))]),
    ...(validTill === null ? [] : [till(day(language, validTill))]),
  ];
  return parts.length === 0 ? always : parts.join(" ");
}

function redeemedTable(view: View, months: readonly RedeemedMonth[]): Html {
  const { language } = view;
  const { redeemed } = language.phrases.rewards;
  const used = months.filter((month) => month.redeemed !== 0 || month.refunded !== 0);
  const rows = used.toReversed().map(
    (month) =>
      html`<tr>
        <th scope="row">${monthOf(language, month.from)}</th>
        <td class="num">${number(language, Math.abs(month.redeemed))}</td>
        <td class="num">${number(language, month.refunded)}</td>
      </tr>`,
  );
  const columns = [redeemed.month, { number: redeemed.spent }, { number: redeemed.back }];
  const table = dataTable({ label: redeemed.title, caption: redeemed.caption, columns, rows });
  return html`<h2>${redeemed.title}</h2>
    ${used.length === 0 ? html`<p class="soft">${redeemed.none}</p>` : table}`;
}
