import type { Static } from "typebox";
import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { ProgramResponse } from "../../programs/schema.ts";
import { badge, dataTable, fact, timeOf } from "../elements.ts";
import { colon, instant, number } from "../format.ts";
import { addressOf, consolePage, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { pager } from "../pager.ts";
import { doneNotice, problemBox } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { textOfDefinition } from "./draft.ts";

export type Version = Static<typeof ProgramResponse>["program"];

function stateBadge(view: View, { state }: Version): Html {
  const kind = state === "in_force" ? "good" : state === "scheduled" ? "warning" : "";
  return badge(view.language.phrases.programme.states[state], kind);
}

/** The version in force, and the history. */
export function programmePage(
  view: View,
  content: {
    readonly current: Version | null;
    readonly versions: readonly Version[];
    readonly count: number;
    readonly page: number;
    readonly done: string | null;
  },
): PageDocument {
  const { programme } = view.language.phrases;
  const { current, versions, count, page, done } = content;
  const at = (moment: string | null) => (moment === null ? "" : timeOf(view, moment));
  const link = ({ version, definition }: Version) =>
    html`<a href="${addressOf(view, "programme", `/${version}`)}"><bdi>${definition.name}</bdi></a>`;
  const draftFrom = current ? { from: String(current.version) } : undefined;
  const { name, state, starts, saved, by, note } = programme.columns;
  const rows = versions.map(
    (each) =>
      html`<tr>
        <td class="num">${number(view.language, each.version)}</td>
        <td>${link(each)}</td>
        <td>${stateBadge(view, each)}</td>
        <td>${at(each.startsAt)}</td>
        <td>${at(each.createdAt)}</td>
        <td><bdi>${each.author}</bdi></td>
        <td><bdi>${each.note}</bdi></td>
      </tr>`,
  );
  const history = dataTable({
    label: programme.history,
    columns: [{ number: programme.columns.version }, name, state, starts, saved, by, note],
    rows,
  });
  return consolePage(view, {
    title: programme.title,
    section: "programme",
    isWide: true,
    main: html`${doneNotice(programme.done, done)}
      <p class="soft">${programme.lead}</p>
      <p class="lead">
        ${current ? html`${programme.inForce}${colon(view.language)} ${link(current)}` : programme.none}
      </p>
      ${
        view.rights.has("manage") &&
        html`<p>
          <a class="button" href="${addressOf(view, "programme", "/draft", draftFrom)}">
            ${current ? programme.newFrom : programme.newEmpty}
          </a>
        </p>`
      }
      ${
        versions.length > 0 &&
        html`<h2>${programme.history}</h2>
          ${history}`
      }
      ${pager(view, { page, count, addressOfPage: (to) => addressOf(view, "programme", "", { page: String(to) }) })}`,
  });
}

/** One version, with what can be done in its state. */
export function versionPage(
  view: View,
  content: {
    readonly version: Version;
    readonly typed: { readonly startsAt: string; readonly days: string; readonly pointValue: string };
    /** A key for each form: what it does is done once. */
    readonly newKey: () => string;
    readonly problem: ShownProblem | null;
    readonly done: string | null;
  },
): PageDocument {
  const { programme } = view.language.phrases;
  const { version, problem, done } = content;
  const { one } = programme;
  const n = number(view.language, version.version);
  const at = (moment: string | null) => moment && instant(view.language, moment);
  return consolePage(view, {
    title: one.title(n, version.definition.name),
    section: "programme",
    styles: ["programme.css"],
    main: html`<p><a href="${addressOf(view, "programme")}">${one.back}</a></p>
      ${doneNotice(programme.done, done)} ${problemBox(problem)}
      <dl class="facts card">
        ${fact(programme.columns.state, stateBadge(view, version))}
        ${fact(programme.columns.starts, at(version.startsAt))} ${fact(programme.columns.saved, at(version.createdAt))}
        ${fact(programme.columns.by, version.author)} ${fact(programme.columns.note, version.note)}
        ${fact(one.publishedBy, version.publishedBy)} ${fact(one.withdrawnBy, version.withdrawnBy)}
      </dl>
      ${view.rights.has("manage") && actionsOf(view, content)}
      <h2 id="definition">${one.definition}</h2>
      <pre tabindex="0" role="region" aria-labelledby="definition">${textOfDefinition(version.definition)}</pre>`,
  });
}

function actionsOf(view: View, { version, typed, newKey }: Parameters<typeof versionPage>[1]): Html {
  const { one, preview, publish, withdraw } = view.language.phrases.programme;
  const below = (path: string) => addressOf(view, "programme", `/${version.version}${path}`);
  const keyField = () => html`<input type="hidden" name="key" value="${newKey()}" />`;
  const previewForm = html`<section class="card" aria-labelledby="preview">
    <h2 id="preview">${preview.title}</h2>
    <p class="hint">${preview.lead}</p>
    ${postForm(
      view,
      below("/preview"),
      html`${keyField()}<label>${preview.days}<input name="days" inputmode="numeric" value="${typed.days}" /></label>
        <label>${preview.value}<input name="pointValue" inputmode="decimal" value="${typed.pointValue}" /></label>
        <button>${preview.submit}</button>`,
    )}
  </section>`;
  const publishForm = html`<section class="card" aria-labelledby="publish">
    <h2 id="publish">${publish.title}</h2>
    <p class="hint">${publish.hint}</p>
    ${postForm(
      view,
      below("/publish"),
      html`${keyField()}<label
          >${publish.at}<input name="startsAt" type="datetime-local" value="${typed.startsAt}"
        /></label>
        <button>${publish.submit}</button>`,
    )}
  </section>`;
  const withdrawForm = html`<section class="card" aria-labelledby="withdraw">
    <h2 id="withdraw">${withdraw.title}</h2>
    <p class="hint">${withdraw.lead}</p>
    ${postForm(view, below("/withdraw"), html`${keyField()}<button class="danger">${withdraw.submit}</button>`)}
  </section>`;
  const again = html`<section class="card" aria-labelledby="again">
    <h2 id="again">${one.rollBack}</h2>
    <p class="hint">${one.rollBackHint}</p>
    ${postForm(view, below("/roll-back"), html`${keyField()}<button class="quiet">${one.rollBack}</button>`)}
  </section>`;
  const isPast = version.state === "ended" || version.state === "withdrawn";
  return html`<div class="programme-actions">
      ${version.state !== "in_force" && previewForm} ${version.state === "draft" && publishForm}
      ${version.state === "scheduled" && withdrawForm} ${isPast && again}
    </div>
    <p>
      <a class="button quiet" href="${addressOf(view, "programme", "/draft", { from: String(version.version) })}">
        ${one.edit}
      </a>
    </p>`;
}
