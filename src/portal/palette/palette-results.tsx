import type { ComponentChildren, VNode } from 'preact';
import { FINDING_STATUS, findingStatusVocabulary, isTestable, needsAdmin } from '../../modules/findings';
import { SeverityBadge, statusLabel } from '../frame/badges';
import { Form } from '../frame/form';
import { settingsLinks } from '../frame/settings-tabs';
import { sidebarLinks } from '../frame/sidebar';
import { versionOf } from '../findings/finding-versions';
import { assetUrl, findingsUrl, findingUrl, homeUrl, scansUrl } from '../urls';
import type { PaletteView } from './palette-reader';

/** Something that the palette opens, or a form that it sends. */
interface Choice {
  readonly label: string;
  readonly href: string;
  /** The fields of a form that is sent to `href`. */
  readonly fields?: Readonly<Record<string, string | number>>;
}

export function PaletteResults({ view }: { readonly view: PaletteView }): VNode {
  const { place, text, finding, found, assets } = view;
  const { organizationId } = place;
  const isMeant = ({ label }: Choice): boolean => label.toLowerCase().includes(text.toLowerCase());
  const organizations = view.organizations.map(({ id, name }) => ({ label: name, href: homeUrl(id) }));
  return (
    <div data-text={text}>
      {finding !== undefined && (
        <Group title={`#${finding.id} ${finding.title}`} choices={actionsOn(view).filter(isMeant)} />
      )}
      {found.length > 0 && (
        <Section title="Findings">
          {found.map(({ id, title, assetValue, severity }) => (
            <li key={id}>
              <a href={findingUrl(organizationId, id)}>
                <SeverityBadge severity={severity} />
                <bdi>{`#${id} ${title}`}</bdi> <bdi class="muted">{assetValue}</bdi>
              </a>
            </li>
          ))}
        </Section>
      )}
      <Group
        title="Assets"
        choices={assets.map(({ id, value }) => ({ label: value, href: assetUrl(organizationId, id) }))}
      />
      <Group title="Go to" choices={pagesOf(view).filter(isMeant)} />
      <Group title="Organizations" choices={organizations.filter(isMeant)} />
      {text !== '' && (
        <Group
          title="Search"
          choices={[{ label: `All findings with “${text}”`, href: findingsUrl(organizationId, { q: text }) }]}
        />
      )}
    </div>
  );
}

function pagesOf({ place: { caller, organizationId } }: PaletteView): Choice[] {
  const scan = { label: 'Scan a URL', href: scansUrl(organizationId) };
  return [
    ...(caller.hasRole('member', organizationId) ? [scan] : []),
    ...sidebarLinks(caller, organizationId).filter(({ section }) => section !== 'settings'),
    ...settingsLinks(organizationId).map(([, label, href]) => ({ label: `Settings: ${label}`, href })),
  ];
}

/** What the person may do with the finding of the page. */
function actionsOn({ place: { caller, organizationId }, finding }: PaletteView): Choice[] {
  if (finding === undefined || !caller.hasRole('member', organizationId)) return [];
  const { assigneeId, status, checkDefinition } = finding;
  const { userId, memberships } = caller.facts;
  const url = findingUrl(organizationId, finding.id);
  const isAssignable = memberships.has(organizationId) && assigneeId !== userId;
  const version = versionOf(assigneeId);
  const transitions = findingStatusVocabulary.find(({ number }) => number === status)?.transitions ?? [];
  const offered = transitions.filter((to) => !needsAdmin(status, to) || caller.hasRole('admin', organizationId));
  return [
    ...(isAssignable
      ? [{ label: 'Assign to me', href: `${url}/assignee`, fields: { assignee_id: userId, version } }]
      : []),
    ...(checkDefinition !== null && isTestable(status) ? [{ label: 'Retest', href: `${url}/retest`, fields: {} }] : []),
    // Its form asks for the reason and the end.
    ...(offered.includes(FINDING_STATUS.risk_accepted) ? [{ label: 'Accept risk…', href: `${url}#status` }] : []),
    ...offered
      .filter((to) => to !== FINDING_STATUS.risk_accepted)
      .map((to) => ({ label: `Change status: ${statusLabel(to)}`, href: `${url}/status`, fields: { status: to } })),
  ];
}

const Section = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode => (
  <section>
    <h3 dir="auto">{title}</h3>
    <ul>{children}</ul>
  </section>
);

const Group = ({ title, choices }: { readonly title: string; readonly choices: readonly Choice[] }): VNode | null =>
  choices.length === 0 ? null : (
    <Section title={title}>
      {choices.map(({ label, href, fields }) => (
        <li key={label}>
          {fields === undefined ? (
            <a href={href} dir="auto">
              {label}
            </a>
          ) : (
            <Form action={href}>
              {Object.entries(fields).map(([name, value]) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
              <button>{label}</button>
            </Form>
          )}
        </li>
      ))}
    </Section>
  );
