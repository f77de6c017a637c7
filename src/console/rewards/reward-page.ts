import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { RewardDocument } from "../../rewards/schema.ts";
import { fact } from "../elements.ts";
import { instant, money, number } from "../format.ts";
import { addressOf, consolePage, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { doneNotice, problemBox } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { codesOf, leftOf, stateBadge, validityOf } from "./list-page.ts";

/** What became of typed codes; `wrongLines` are numbers from 1. */
export interface CodesOutcome {
  readonly added: number;
  readonly duplicates: readonly string[];
  readonly freeCodes: number;
}

export interface RewardContent {
  readonly reward: RewardDocument;
  readonly now: string;
  readonly done: string | null;
  readonly typedCodes: string;
  readonly outcome: CodesOutcome | null;
  readonly problem: ShownProblem | null;
}

/** One reward: its terms, what is left, and its codes. */
export function rewardPage(view: View, content: RewardContent): PageDocument {
  const { rewards } = view.language.phrases;
  const { reward, done, problem } = content;
  const mayManage = view.rights.has("manage");
  const path = `/${reward.id}`;
  return consolePage(view, {
    title: reward.name,
    section: "rewards",
    main: html`<p><a href="${addressOf(view, "rewards")}">${rewards.one.back}</a></p>
      ${doneNotice(rewards.done, done)} ${outcomeOf(view, content.outcome)} ${problemBox(problem)}
      ${factsOf(view, content)}
      ${
        mayManage &&
        html`<p class="actions">
          <a class="button" href="${addressOf(view, "rewards", `${path}/edit`)}">${rewards.one.edit}</a>
          <a class="button danger" href="${addressOf(view, "rewards", `${path}/remove`)}">${rewards.one.remove}</a>
        </p>`
      }
      ${mayManage && reward.codes === "pool" && codesForm(view, content)}`,
  });
}

function factsOf(view: View, { reward, now }: RewardContent): Html {
  const { language } = view;
  const { rewards } = language.phrases;
  const { fields, one, columns } = rewards;
  const text = (value: string) => (value === "" ? "" : html`<bdi>${value}</bdi>`);
  return html`<dl class="facts card">
    ${fact(columns.price, html`${number(language, reward.points)} ${stateBadge(view, reward, now)}`)}
    ${fact(columns.stock, leftOf(view, reward))} ${fact(columns.codes, codesOf(view, reward))}
    ${fact(columns.valid, validityOf(view, reward))} ${fact(fields.tier, rewards.tiers[reward.tier] ?? "")}
    ${fact(fields.brand, text(reward.brand))} ${fact(fields.category, text(reward.category))}
    ${fact(fields.offer, text(reward.offer))} ${fact(fields.description, text(reward.description))}
    ${fact(fields.terms, text(reward.terms.join(" · ")))} ${fact(fields.location, text(reward.location))}
    ${fact(fields.value, reward.value === 0 ? "" : money(language, reward.value, reward.currency))}
    ${fact(fields.imageUrl, text(reward.imageUrl))} ${fact(fields.logoUrl, text(reward.logoUrl))}
    ${fact(one.added, instant(language, reward.createdAt))} ${fact(one.changed, instant(language, reward.updatedAt))}
    ${fact(one.id, html`<code>${reward.id}</code>`)}
  </dl>`;
}

function outcomeOf(view: View, outcome: CodesOutcome | null): Html | null {
  if (!outcome) return null;
  const { codes } = view.language.phrases.rewards;
  const { added, duplicates, freeCodes } = outcome;
  const n = (value: number) => number(view.language, value);
  return html`<div class="notice" role="status">${codes.added(n(added))} ${codes.free(n(freeCodes))}</div>
    ${
      duplicates.length > 0 &&
      html`<details open>
        <summary>${codes.duplicates(n(duplicates.length))}</summary>
        <pre>${duplicates.join("\n")}</pre>
      </details>`
    }`;
}

function codesForm(view: View, { reward, typedCodes, problem }: RewardContent): Html {
  const { codes } = view.language.phrases.rewards;
  return html`<section aria-labelledby="codes">
    <h2 id="codes">${codes.title}</h2>
    <p id="codes-hint">${codes.lead}</p>
    ${postForm(
      view,
      addressOf(view, "rewards", `/${reward.id}/codes`),
      html`<label>
          ${codes.field}
          <textarea
            name="codes"
            rows="8"
            class="code"
            required
            spellcheck="false"
            autocapitalize="none"
            ${problem ? html`aria-invalid="true" aria-describedby="problem"` : html`aria-describedby="codes-hint"`}
          >
${typedCodes}</textarea>
        </label>
        <button>${codes.submit}</button>`,
    )}
  </section>`;
}

/** Asks before a reward is removed. */
export function removePage(view: View, reward: RewardDocument): PageDocument {
  const { rewards, shell } = view.language.phrases;
  const path = `/${reward.id}`;
  return consolePage(view, {
    title: rewards.remove.title(reward.name),
    section: "rewards",
    main: html`<p class="warning-text">${rewards.remove.lead}</p>
      ${postForm(
        view,
        addressOf(view, "rewards", `${path}/remove`),
        html`<div class="actions">
          <button class="danger">${rewards.remove.submit}</button>
          <a class="button quiet" href="${addressOf(view, "rewards", path)}">${shell.actions.cancel}</a>
        </div>`,
      )}`,
  });
}
