import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { TransactionRecord } from "../../points/schema.ts";
import type { UserStatistics } from "../../points/statistics/schema.ts";
import { badge, dataTable, fact, timeOf } from "../elements.ts";
import { day, instant, monthOf, number, signed as signedNumber } from "../format.ts";
import { addressOf, consolePage, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { pager } from "../pager.ts";
import { doneNotice, fieldState, problemBox } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { kindOf, subjectOf } from "./kinds.ts";
import type { UserSummary } from "./kinds.ts";

/** What was typed into the form of an adjustment. */
export interface TypedAdjustment {
  readonly points: string;
  readonly reason: string;
  readonly countsAsEarned: boolean;
}

export interface PersonContent {
  readonly user: UserSummary;
  /** Null: they are not ready. */
  readonly statistics: UserStatistics | null;
  readonly history: { readonly records: readonly TransactionRecord[]; readonly count: number; readonly page: number };
  readonly typed: TypedAdjustment | null;
  readonly problem: ShownProblem | null;
  readonly done: string | null;
}

/** One person: balance, tier, months, history, and what can be done. */
export function personPage(view: View, content: PersonContent): PageDocument {
  const { people } = view.language.phrases;
  const { user, history, done } = content;
  const mayManage = view.rights.has("manage");
  return consolePage(view, {
    title: user.email,
    section: "people",
    isWide: true,
    styles: ["people.css"],
    main: html`${doneNotice(people.done, done)} ${problemBox(content.problem)}
      <div class="person-columns">
        <div class="person-facts">${factsOf(view, user)}</div>
        <div class="person-history">
          <h2>${people.history.title}</h2>
          ${historyTable(view, user.userID, history.records)}
          ${pager(view, {
            page: history.page,
            count: history.count,
            addressOfPage: (page) => addressOf(view, "people", `/${user.userID}`, { page: String(page) }),
          })}
          ${statisticsTable(view, content.statistics)}
        </div>
        ${
          mayManage &&
          html`<div class="person-forms">${adjustForm(view, content)} ${privacyForms(view, user.userID)}</div>`
        }
      </div>`,
  });
}

function factsOf(view: View, user: UserSummary): Html {
  const { language } = view;
  const { facts } = language.phrases.people;
  const { tier, pointsExpiring } = user;
  const points = (value: number) => number(language, value);
  return html`<dl class="facts card">
    <div class="balance">
      <dt>${facts.available}</dt>
      <dd>${points(user.availablePoints)}</dd>
    </div>
    ${fact(facts.lifetime, points(user.lifetimePoints))} ${fact(facts.carbon, points(user.totalCarbonScore))}
    ${fact(facts.green, points(user.totalGreenProducts))} ${fact(facts.transactions, points(user.numOfTransactions))}
    ${tier && fact(facts.tier, tier.name || facts.noTier)}
    ${tier !== null && tier.next !== null && fact("", facts.missing(points(tier.next.missingPoints), tier.next.name))}
    ${
      pointsExpiring &&
      fact(facts.expiring, facts.expiringAt(points(pointsExpiring.points), day(language, pointsExpiring.expiresAt)))
    }
    ${fact(facts.enrolled, day(language, user.createdAt))} ${fact(facts.updated, instant(language, user.updatedAt))}
    ${fact(facts.id, html`<code>${user.userID}</code>`)}
  </dl>`;
}

function historyTable(view: View, userId: string, records: readonly TransactionRecord[]): Html {
  const { history, statuses } = view.language.phrases.people;
  if (records.length === 0) return html`<p class="soft">${history.none}</p>`;
  const rows = records.map((record) => {
    const subject = subjectOf(record);
    const isUnusual = record.status !== 2;
    return html`<tr>
      <td>${timeOf(view, record.createdAt)}</td>
      <td>
        <a href="${addressOf(view, "people", `/${userId}/records/${record.id}`)}">${kindOf(view.language, record)}</a>
        ${subject !== "" && html`<br /><span class="soft"><bdi>${subject}</bdi></span>`}
        ${isUnusual && badge(statuses[record.status] ?? "")}
      </td>
      <td class="num">${signed(view, record.totalPoints)}</td>
    </tr>`;
  });
  const columns = [history.when, history.what, { number: history.points }];
  return dataTable({ label: history.title, columns, rows });
}

/** A number with its sign. */
export function signed(view: View, value: number): string {
  return signedNumber(view.language, value);
}

/** The months in which something was booked. */
function statisticsTable(view: View, figures: UserStatistics | null): Html | null {
  const { language } = view;
  const { statistics } = language.phrases.people;
  if (!figures)
    return html`<h2>${statistics.title}</h2>
      <p class="soft">${statistics.unready}</p>`;
  const used = figures.months.filter(
    ({ earnedPoints, balanceChange, numOfTransactions }) =>
      earnedPoints !== 0 || balanceChange !== 0 || numOfTransactions !== 0,
  );
  if (used.length === 0) return null;
  const { title, caption, month, earned, change, submissions, co2e, green, healthy } = statistics;
  const numbers = [earned, change, submissions, co2e, green, healthy];
  const rows = used.toReversed().map(
    (each) =>
      html`<tr>
        <th scope="row">${monthOf(language, `${each.month}-01`, "short")}</th>
        <td class="num">${number(language, each.earnedPoints)}</td>
        <td class="num">${signed(view, each.balanceChange)}</td>
        <td class="num">${number(language, each.numOfTransactions)}</td>
        <td class="num">${number(language, each.totalCO2e, 1)}</td>
        <td class="num">${number(language, each.totalGreenProducts)}</td>
        <td class="num">${number(language, each.totalHealthyProducts)}</td>
      </tr>`,
  );
  const columns = [month, ...numbers.map((name) => ({ number: name }))];
  return html`<h2>${title}</h2>
    ${dataTable({ label: title, caption, columns, rows })}`;
}

function adjustForm(view: View, { user, typed, problem }: PersonContent): Html {
  const { adjust } = view.language.phrases.people;
  const content = html`<label>
      ${adjust.points}
      <input
        name="points"
        inputmode="numeric"
        pattern="[+\\-]?[0-9]+"
        required
        maxlength="12"
        value="${typed?.points ?? ""}"
        ${fieldState(problem, "points") ?? html`aria-describedby="points-hint"`}
      />
    </label>
    <p class="hint" id="points-hint">${adjust.pointsHint}</p>
    <label>
      ${adjust.reason}
      <input name="reason" required maxlength="255" value="${typed?.reason ?? ""}" ${fieldState(problem, "reason")} />
    </label>
    <p class="hint">${adjust.reasonHint}</p>
    <label>
      <input type="checkbox" name="countsAsEarned" value="yes" ${typed?.countsAsEarned === true && html`checked`} />
      ${adjust.countsAsEarned}
    </label>
    <button>${adjust.next}</button>`;
  return html`<section class="card" aria-labelledby="adjust">
    <h2 id="adjust">${adjust.title}</h2>
    ${postForm(view, addressOf(view, "people", `/${user.userID}/adjust`), content)}
  </section>`;
}

function privacyForms(view: View, userId: string): Html {
  const { privacy } = view.language.phrases.people;
  return html`<section class="card" aria-labelledby="privacy">
    <h2 id="privacy">${privacy.title}</h2>
    <div class="actions">
      ${postForm(
        view,
        addressOf(view, "people", `/${userId}/export`),
        html`<button class="quiet">${privacy.export}</button>`,
      )}
      <a class="button danger" href="${addressOf(view, "people", `/${userId}/erase`)}">${privacy.erase}</a>
    </div>
  </section>`;
}
