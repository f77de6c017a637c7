import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { applicationField } from "../application-field.ts";
import type { ListedApplications } from "../applications.store.ts";
import { badge, dataTable } from "../elements.ts";
import { colon } from "../format.ts";
import { consolePage, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { doneNotice } from "../problem.ts";
import { ROLES } from "../roles.ts";
import type { Grant } from "../roles.ts";
import type { ConsoleUser } from "../users.store.ts";

/** Why somebody cannot be added or changed. */
export type TeamError = "email" | "taken" | "name" | "role" | "self";

/** What the page shows beside the people. */
export interface TeamState {
  readonly done: string | null;
  readonly error: TeamError | null;
  /** What was typed when an error is shown. */
  readonly typed: { readonly email: string; readonly name: string };
}

export interface TeamContent {
  readonly people: readonly ConsoleUser[];
  /** Those that a role can be given for, as far as they are listed. */
  readonly applications: ListedApplications;
  /** The names of those that people have roles for, by their ids. */
  readonly names: ReadonlyMap<string, string>;
  readonly state: TeamState;
}

/** The page with the people of the console. */
export function teamPage(view: View, content: TeamContent): PageDocument {
  const { people, state } = content;
  const { team } = view.language.phrases;
  const { columns } = team;
  const rows = people.map((person) => personRow(view, content, person));
  return consolePage(view, {
    title: team.title,
    section: "team",
    main: html`<p class="lead">${team.lead}</p>
      ${doneNotice(team.done, state.done)}
      ${dataTable({ label: team.title, columns: [columns.person, columns.roles, columns.actions], rows })}
      <section class="narrow" aria-labelledby="add">
        <h2 id="add">${team.add.title}</h2>
        ${state.error !== null && html`<p class="error" role="alert">${team.errors[state.error]}</p>`}
        ${addForm(view, content)}
      </section>`,
  });
}

/** The page that shows a one-time link, once. */
export function newLinkPage(view: View, { name, link }: { name: string; link: string }): PageDocument {
  const { team, shell } = view.language.phrases;
  return consolePage(view, {
    title: team.newLink.title(name),
    section: "team",
    main: html`<p class="lead">${team.newLink.text}</p>
      <pre><code>${link}</code></pre>
      <p><a href="${view.basePath}/console/team">${shell.actions.back}</a></p>`,
  });
}

function personRow(view: View, { names, applications }: TeamContent, person: ConsoleUser): Html {
  const { team } = view.language.phrases;
  const isSelf = person.id === view.user.id;
  const action = (name: string, label: string, about: string, kind: string) =>
    postForm(
      view,
      `${view.basePath}/console/team/${person.id}/${name}`,
      html`<button class="${kind}" aria-label="${about}">${label}</button>`,
    );
  return html`<tr>
    <th scope="row"><bdi>${person.name}</bdi> ${isSelf && badge(team.you)}<br /><bdi>${person.email}</bdi></th>
    <td>
      ${person.grants.length === 0 ? team.noRole : null}
      <ul class="plain-list">
        ${person.grants.map((grant) => html`<li>${grantText(view, names, grant)}</li>`)}
      </ul>
    </td>
    <td>
      <div class="actions">
        <details>
          <summary class="button quiet">${team.grant.title(person.name)}</summary>
          ${postForm(
            view,
            `${view.basePath}/console/team/${person.id}/grant`,
            html`${roleFields(view, applications)}<button>${team.grant.submit}</button>`,
          )}
        </details>
        ${action("link", team.link, team.linkOf(person.name), "quiet")}
        ${!isSelf && action("revoke", team.revoke, team.revokeOf(person.name), "danger")}
        ${!isSelf && action("remove", team.remove, team.removeOf(person.name), "danger")}
      </div>
    </td>
  </tr>`;
}

function grantText(view: View, names: TeamContent["names"], { applicationId, role }: Grant): Content {
  const { team } = view.language.phrases;
  if (applicationId === null) return team.ofAll(team.roles[role]);
  return team.ofOne(team.roles[role], names.get(applicationId) ?? applicationId);
}

function addForm(view: View, { applications, state: { typed } }: TeamContent): Html {
  const { add } = view.language.phrases.team;
  return postForm(
    view,
    `${view.basePath}/console/team`,
    html`<label>
        ${add.email} <input name="email" type="email" required maxlength="254" value="${typed.email}" />
      </label>
      <label>${add.name} <input name="name" required maxlength="100" value="${typed.name}" /></label>
      ${roleFields(view, applications)}<button>${add.submit}</button>`,
  );
}

function roleFields(view: View, applications: ListedApplications): Html {
  const { team } = view.language.phrases;
  return html`<label>
      ${team.add.role}
      <select name="role">
        ${ROLES.map((role) => html`<option value="${role}">${team.roles[role]}${colon(view.language)} ${team.about[role]}</option>`)}
      </select>
    </label>
    ${applicationField(applications, { label: team.add.application, any: team.all })}`;
}
