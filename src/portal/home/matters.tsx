import type { ComponentChildren, VNode } from 'preact';
import type { Slice } from '../../kernel/page';
import { SEVERITIES } from '../../kernel/severity';
import { BEACON_STATUS } from '../../modules/beacons';
import { beliefOf, type PreviewedFinding } from '../../modules/findings';
import { certificateDay } from '../../modules/observations';
import { PAUSE_REASONS } from '../../modules/webhooks';
import { DueDate } from '../findings/due-date';
import { BeliefBadge, SeverityBadge } from '../frame/badges';
import { Through } from '../frame/through';
import { Time } from '../frame/time';
import * as urls from '../urls';
import type { FindingMatterView } from './finding-matters';
import { type HomeView, SHOWN } from './home-reader';

/** Something that needs a person: the first of it, and a link to the list of all of it. */
export interface Matter {
  readonly id: string;
  readonly title: string;
  readonly total: number;
  readonly items: readonly VNode[];
  readonly href: string;
}

const DUE: ReadonlySet<string> = new Set(['overdue', 'due', 'mine', 'unassigned']);

/** The first of equal findings, in the first list that has it, with the other lists. A list whose findings are all above is left out. */
export function shownMatters(view: HomeView): Matter[] {
  const above = new Set<string>();
  return view.matters.flatMap((list) => {
    const unlike = new Map(list.items.toReversed().map((item) => [item.title, item]));
    const items = list.items
      .filter((item) => unlike.get(item.title) === item && !above.has(item.title))
      .slice(0, SHOWN);
    for (const { title } of items) above.add(title);
    return items.length === 0 && list.total <= list.items.length ? [] : [findingMatter(view, { ...list, items })];
  });
}

const findingMatter = (
  { organizationId, beaconNames, matters }: HomeView,
  { id, title, total, items, parameters }: FindingMatterView,
): Matter => ({
  id,
  title,
  total,
  href: urls.findingsUrl(organizationId, parameters),
  items: items.map((finding) => (
    <li key={finding.id}>
      <SeverityBadge severity={SEVERITIES[finding.severity] ?? 'none'} /> <BeliefBadge belief={beliefOf(finding)} />{' '}
      <a href={urls.findingUrl(organizationId, finding.id)} dir="auto">
        {finding.title}
      </a>{' '}
      <span class="muted">
        <bdi>{finding.assetValue}</bdi>
        <Through beacon={beaconNames.get(finding.beaconId ?? 0)} />
        {noteOn(finding, id)}
        {alsoIn(finding, id, matters)}
      </span>
    </li>
  )),
});

/** The titles of other lists, but for those that the date says. */
function alsoIn(finding: PreviewedFinding, matter: string, all: readonly FindingMatterView[]): string {
  const isDated = DUE.has(matter) && finding.dueDate !== null;
  const others = all.filter(({ id, items }) => id !== matter && items.some((item) => item.id === finding.id));
  const named = others.filter(({ id }) => !(isDated && (id === 'due' || id === 'overdue')));
  return named.map(({ title }) => `, ${title.charAt(0).toLowerCase()}${title.slice(1)}`).join('');
}

function noteOn(finding: PreviewedFinding, matter: string): ComponentChildren {
  if (DUE.has(matter) && finding.dueDate !== null) return [', ', <DueDate key="due" finding={finding} isInSentence />];
  if (finding.acceptedUntil === null) return null;
  return [', accepted until ', <Time key="until" at={finding.acceptedUntil} to="day" />];
}

/** Its name, its page, and what is to be known of it. */
type Row = readonly [name: string, href: string, ...note: ComponentChildren[]];

/** What has failed or stopped. */
export function operationMatters({ organizationId: organization, ...view }: HomeView): Matter[] {
  const matter = <Item,>(
    [id, title, href]: readonly [string, string, string],
    { items, total = items.length }: Slice<Item>,
    rowOf: (item: Item) => Row,
  ): Matter => ({
    id,
    title,
    href,
    total,
    items: items.slice(0, SHOWN).map((item, index) => {
      const [name, link, ...note] = rowOf(item);
      return (
        <li key={index}>
          <a href={link} dir="auto">
            {name}
          </a>{' '}
          <span class="muted">{note}</span>
        </li>
      );
    }),
  });
  const scans = `${urls.scansUrl(organization)}?failed=true`;
  const imports = `${urls.importsUrl(organization)}?failed=true`;
  const beacons = `${urls.beaconsUrl(organization)}?silent=true`;
  const assets = `${urls.assetsUrl(organization)}?certificate=expiring`;
  const domains = `${urls.domainsUrl(organization)}?unproven=true`;
  const [webhooks, members] = [urls.destinationsUrl('webhook', organization), urls.membersUrl(organization)];
  return [
    matter(['gates', 'Scans whose gate failed in the last 7 days', scans], view.gates, ({ url, uuid, created }) => [
      url,
      urls.scanUrl(organization, uuid),
      <Time key="at" at={created} />,
    ]),
    matter(['imports', 'Imports that failed in the last 7 days', imports], view.imports, ({ id, name, error }) => [
      name ?? `Import ${id}`,
      urls.importUrl(organization, id),
      error,
    ]),
    matter(['beacons', 'Beacons that do not report', beacons], view.beacons, ({ id, name, status, lastReport }) => [
      name,
      urls.beaconUrl(organization, id),
      status === BEACON_STATUS.offline ? 'offline' : 'late',
      lastReport && [', last report ', <Time key="at" at={lastReport} />],
    ]),
    matter(
      ['certificates', 'Assets with a certificate that expires', assets],
      view.certificates,
      ({ asset: { id, value }, port, until }) => [
        value,
        urls.assetUrl(organization, id),
        `port ${port}, ${certificateDay(until)}`,
      ],
    ),
    matter(['domains', 'Unverified domains', domains], view.domains, ({ value, verified }) => [
      value,
      domains,
      verified ? 'the last lookups did not find its record' : 'its record was not found yet',
    ]),
    matter(['webhooks', 'Paused webhooks', webhooks], { items: view.webhooks }, ({ id, name, pauseReason }) => [
      name,
      urls.destinationUrl('webhook', organization, id),
      pauseReason && PAUSE_REASONS[pauseReason],
    ]),
    matter(
      ['member-keys', 'API keys of members that open this organization since an upgrade', members],
      { items: view.memberKeys },
      ({ label, email }) => [label, members, `of ${email}`],
    ),
  ].filter(({ total }) => total > 0);
}
