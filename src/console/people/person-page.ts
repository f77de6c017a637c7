import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { TransactionRecord } from "../../points/schema.ts";
import type { UserStatistics } from "../../points/statistics/schema.ts";
import { day, instant, number } from "../format.ts";
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
  readonly statistics: UserStatistics;
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
          <h2 id="history">${people.history.title}</h2>
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
  const row = (name: string, value: Html | string) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  const points = (value: number) => number(language, value);
  return html`<dl class="facts card">
    <div class="balance">
      <dt>${facts.available}</dt>
      <dd>${points(user.availablePoints)}</dd>
    </div>
    ${row(facts.lifetime, points(user.lifetimePoints))} ${row(facts.carbon, points(user.totalCarbonScore))}
    ${row(facts.green, points(user.totalGreenProducts))} ${row(facts.transactions, points(user.numOfTransactions))}
    ${tier && row(facts.tier, tier.name || facts.noTier)}
    ${tier !== null && tier.next !== null && row("", facts.missing(points(tier.next.missingPoints), tier.next.name))}
    ${
      pointsExpiring &&
      row(facts.expiring, facts.expiringAt(points(pointsExpiring.points), day(language, pointsExpiring.expiresAt)))
    }
    ${row(facts.enrolled, day(language, user.createdAt))} ${row(facts.updated, instant(language, user.updatedAt))}
    ${row(facts.id, html`<code>${user.userID}</code>`)}
  </dl>`;
}

function historyTable(view: View, userId: string, records: readonly TransactionRecord[]): Html {
  const { history, statuses } = view.language.phrases.people;
  if (records.length === 0) return html`<p class="soft">${history.none}</p>`;
  const rows = records.map((record) => {
    const subject = subjectOf(record);
    const isUnusual = record.status !== 2;
    return html`<tr>
      <td>${instant(view.language, record.createdAt)}</td>
      <td>
        <a href="${addressOf(view, "people", `/${userId}/records/${record.id}`)}">${kindOf(view.language, record)}</a>
        ${subject !== "" && html`<br /><span class="soft"><bdi>${subject}</bdi></span>`}
        ${isUnusual && html`<span class="badge">${statuses[record.status] ?? ""}</span>`}
      </td>
      <td class="num">${signed(view, record.totalPoints)}</td>
    </tr>`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="history">
    <table>
      <thead>
        <tr>
          <th scope="col">${history.when}</th>
          <th scope="col">${history.what}</th>
          <th scope="col" class="num">${history.points}</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** A number with its sign. */
export function signed(view: View, value: number): string {
  return `${value > 0 ? "+" : ""}${number(view.language, value)}`;
}

/** The months in which something was booked. */
function statisticsTable(view: View, { months }: UserStatistics): Html | null {
  const { language } = view;
  const { statistics } = language.phrases.people;
  const used = months.filter(
    ({ earnedPoints, balanceChange, numOfTransactions }) =>
      earnedPoints !== 0 || balanceChange !== 0 || numOfTransactions !== 0,
  );
  if (used.length === 0) return null;
  const monthName = (month: string) =>
    new Intl.DateTimeFormat(language.locale, { month: "short", year: "numeric", timeZone: "UTC" }).format(
      new Date(`${month}-01T00:00:00Z`),
    );
  return html`<h2 id="statistics">${statistics.title}</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="statistics">
      <table>
        <caption>
          ${statistics.caption}
        </caption>
        <thead>
          <tr>
            <th scope="col">${statistics.month}</th>
            ${[
              statistics.earned,
              statistics.change,
              statistics.submissions,
              statistics.co2e,
              statistics.green,
              statistics.healthy,
            ].map((name) => html`<th scope="col" class="num">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${used.toReversed().map(
            (month) =>
              html`<tr>
                <th scope="row">${monthName(month.month)}</th>
                <td class="num">${number(language, month.earnedPoints)}</td>
                <td class="num">${signed(view, month.balanceChange)}</td>
                <td class="num">${number(language, month.numOfTransactions)}</td>
                <td class="num">${number(language, month.totalCO2e, 1)}</td>
                <td class="num">${number(language, month.totalGreenProducts)}</td>
                <td class="num">${number(language, month.totalHealthyProducts)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
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
