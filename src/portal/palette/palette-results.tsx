import type { VNode } from 'preact';
import { SEVERITIES, type Severity } from '../../kernel/severity';
import { FINDING_STATUS, findingStatusVocabulary, isTestable, needsAdmin } from '../../modules/findings';
import { SeverityBadge, statusLabel } from '../frame/badges';
import { Form } from '../frame/form';
import { settingsLinks } from '../frame/settings-tabs';
import { sectionLinks } from '../frame/sections';
import { versionOf } from '../findings/finding-versions';
import {
  assetsUrl,
  assetUrl,
  findingsUrl,
  findingUrl,
  homeUrl,
  membersUrl,
  newFindingUrl,
  newReportUrl,
  scansUrl,
} from '../urls';
import type { PaletteView } from './palette-reader';

/** Something that the palette opens, or a form that it sends. */
interface Choice {
  readonly label: string;
  readonly href: string;
  /** Of a finding, with its place. */
  readonly severity?: Severity;
  readonly place?: string;
  /** The fields of a form that is sent to `href`. */
  readonly fields?: Readonly<Record<string, string | number>>;
}

export function PaletteResults({ view }: { readonly view: PaletteView }): VNode {
  const { organizationId, text, finding } = view;
  const isMeant = ({ label }: Choice): boolean => label.toLowerCase().includes(text.toLowerCase());
  const found = view.found.map(({ id, title, assetValue: place, severity }) => {
    return { label: `#${id} ${title}`, href: findingUrl(organizationId, id), severity: SEVERITIES[severity], place };
  });
  const assets = view.assets.map(({ asset: { id, value } }) => ({ label: value, href: assetUrl(organizationId, id) }));
  const organizations = view.organizations.map(({ id, name }) => ({ label: name, href: homeUrl(id) }));
  const all = { label: `All findings with “${text}”`, href: findingsUrl(organizationId, { q: text }) };
  const groups: readonly (readonly [string, readonly Choice[]])[] = [
    [finding === undefined ? '' : `#${finding.id} ${finding.title}`, actionsOn(view).filter(isMeant)],
    ['Findings', found],
    ['Assets', assets],
    ['Go to', pagesOf(view).filter(isMeant)],
    ['Organizations', organizations.filter(isMeant)],
    ['Search', text === '' ? [] : [all]],
  ];
  return (
    <div data-text={text}>
      {groups.map(
        ([title, choices]) =>
          choices.length > 0 && (
            <section key={title}>
              <h3 dir="auto">{title}</h3>
              <ul>
                {choices.map((choice) => (
                  <li key={choice.label}>
                    <Chosen {...choice} />
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
    </div>
  );
}

const Chosen = ({ label, href, severity, place, fields }: Choice): VNode =>
  fields === undefined ? (
    <a href={href}>
      {severity !== undefined && <SeverityBadge severity={severity} />} <bdi>{label}</bdi>{' '}
      <bdi class="muted">{place}</bdi>
    </a>
  ) : (
    <Form action={href}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button>{label}</button>
    </Form>
  );

/** What is made on a page, which the link opens. */
const makersOf = (organizationId: number) =>
  [
    { label: 'Scan a URL', href: scansUrl(organizationId), role: 'member' },
    { label: 'New finding', href: newFindingUrl(organizationId), role: 'member' },
    { label: 'Add an asset', href: `${assetsUrl(organizationId)}#add`, role: 'member' },
    { label: 'New report', href: newReportUrl(organizationId), role: 'member' },
    { label: 'Invite a person', href: `${membersUrl(organizationId)}#invite`, role: 'owner' },
    { label: 'New API key', href: '/settings/api#new', role: 'viewer' },
  ] as const;

const pagesOf = ({ caller, organizationId }: PaletteView): Choice[] => [
  ...makersOf(organizationId).filter(({ role }) => caller.hasRole(role, organizationId)),
  ...sectionLinks(caller, organizationId).filter(({ above }) => above !== 'settings'),
  ...settingsLinks(caller, organizationId).map(([, label, href]) => ({ label: `Settings: ${label}`, href })),
];

/** What the person may do with the finding of the page. */
function actionsOn({ caller, organizationId, finding }: PaletteView): Choice[] {
  if (finding === undefined || !caller.hasRole('member', organizationId)) return [];
  const { assigneeId, status } = finding;
  const { userId, memberships } = caller.facts;
  const url = findingUrl(organizationId, finding.id);
  const isAssignable = memberships.has(organizationId) && assigneeId !== userId;
  const fields = { assignee_id: userId, version: versionOf(assigneeId) };
  const isRetestable = finding.checkDefinition !== null && isTestable(status);
  const transitions = findingStatusVocabulary.find(({ number }) => number === status)?.transitions ?? [];
  const offered = transitions.filter((to) => !needsAdmin(status, to) || caller.hasRole('admin', organizationId));
  return [
    ...(isAssignable ? [{ label: 'Assign to me', href: `${url}/assignee`, fields }] : []),
    ...(isRetestable ? [{ label: 'Retest', href: `${url}/retest`, fields: {} }] : []),
    ...offered.map((to) =>
      to === FINDING_STATUS.risk_accepted
        ? // Its form asks for the reason and the end.
          { label: 'Accept risk…', href: `${url}#accept-risk` }
        : { label: `Change status: ${statusLabel(to)}`, href: `${url}/status`, fields: { status: to } },
    ),
  ];
}
