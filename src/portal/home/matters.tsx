import type { ComponentChildren, VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { BEACON_STATUS } from '../../modules/beacons';
import type { PreviewedFinding } from '../../modules/findings';
import { certificateDay } from '../../modules/observations';
import { PAUSE_REASONS } from '../../modules/webhooks';
import { DueDate } from '../findings/due-date';
import { SeverityBadge } from '../frame/badges';
import { Through } from '../frame/through';
import { Time } from '../frame/time';
import {
  assetsUrl,
  assetUrl,
  beaconsUrl,
  beaconUrl,
  domainsUrl,
  findingsUrl,
  findingUrl,
  importsUrl,
  importUrl,
  membersUrl,
  scansUrl,
  scanUrl,
  webhooksUrl,
  webhookUrl,
} from '../urls';
import type { FindingMatterView } from './finding-matters';
import type { HomeView } from './home-reader';

/** Something that needs a person: the first of it, and a link to the list of all of it. */
export interface Matter {
  readonly id: string;
  readonly title: string;
  readonly total: number;
  readonly items: readonly VNode[];
  readonly href: string;
}

const DUE: ReadonlySet<string> = new Set(['overdue', 'due', 'mine', 'unassigned']);

export const findingMatter = (
  { organizationId, beaconNames }: HomeView,
  { id, title, total, items, parameters }: FindingMatterView,
): Matter => ({
  id,
  title,
  total,
  href: findingsUrl(organizationId, parameters),
  items: items.map((finding) => (
    <li key={finding.id}>
      <SeverityBadge severity={SEVERITIES[finding.severity] ?? 'none'} />{' '}
      <a href={findingUrl(organizationId, finding.id)} dir="auto">
        {finding.title}
      </a>{' '}
      <span class="muted">
        <bdi>{finding.assetValue}</bdi>
        <Through beacon={beaconNames.get(finding.beaconId ?? 0)} />
        <Note id={id} finding={finding} />
      </span>
    </li>
  )),
});

function Note({ id, finding }: { id: string; finding: PreviewedFinding }): VNode | null {
  if (DUE.has(id) && finding.dueDate !== null)
    return (
      <>
        , <DueDate finding={finding} />
      </>
    );
  if (finding.acceptedUntil === null) return null;
  return (
    <>
      , accepted until <Time at={finding.acceptedUntil} to="day" />
    </>
  );
}

interface RowOf {
  readonly key: string | number;
  readonly href: string;
  readonly name: string;
  readonly note: ComponentChildren;
}

const row = ({ key, href, name, note }: RowOf): VNode => (
  <li key={key}>
    <a href={href} dir="auto">
      {name}
    </a>{' '}
    <span class="muted">{note}</span>
  </li>
);

/** What has failed or stopped. */
export function operationMatters({ organizationId, ...view }: HomeView): Matter[] {
  const { gates, imports, beacons, certificates, domains, webhooks, memberKeys } = view;
  const lists: Matter[] = [
    {
      id: 'gates',
      title: 'Scans whose gate failed in the last 7 days',
      total: gates.total ?? 0,
      href: `${scansUrl(organizationId)}?failed=true`,
      items: gates.items.map(({ uuid, url, created }) =>
        row({ key: uuid, href: scanUrl(organizationId, uuid), name: url, note: <Time at={created} /> }),
      ),
    },
    {
      id: 'imports',
      title: 'Imports that failed in the last 7 days',
      total: imports.total ?? 0,
      href: `${importsUrl(organizationId)}?failed=true`,
      items: imports.items.map(({ id, name, error }) =>
        row({ key: id, href: importUrl(organizationId, id), name: name ?? `Import ${id}`, note: error }),
      ),
    },
    {
      id: 'beacons',
      title: 'Beacons that do not report',
      total: beacons.total ?? 0,
      href: `${beaconsUrl(organizationId)}?silent=true`,
      items: beacons.items.map(({ id, name, status, lastReport }) => {
        const word = status === BEACON_STATUS.offline ? 'offline' : 'late';
        const note = lastReport === null ? word : [`${word}, last report `, <Time key="at" at={lastReport} />];
        return row({ key: id, href: beaconUrl(organizationId, id), name, note });
      }),
    },
    {
      id: 'certificates',
      title: 'Assets with a certificate that expires',
      total: certificates.total ?? 0,
      href: `${assetsUrl(organizationId)}?certificate=expiring`,
      items: certificates.items.map(({ asset: { id, value }, port, until }) =>
        row({
          key: id,
          href: assetUrl(organizationId, id),
          name: value,
          note: `port ${port}, ${certificateDay(until)}`,
        }),
      ),
    },
    {
      id: 'domains',
      title: 'Domains without proof',
      total: domains.total ?? 0,
      href: `${domainsUrl(organizationId)}?unproven=true`,
      items: domains.items.map(({ id, value, verified }) => {
        const note = verified ? 'the last lookups did not find its record' : 'its record was not found yet';
        return row({ key: id, href: `${domainsUrl(organizationId)}?unproven=true`, name: value, note });
      }),
    },
    {
      id: 'webhooks',
      title: 'Paused webhooks',
      total: webhooks.length,
      href: webhooksUrl(organizationId),
      items: webhooks.map(({ id, name, pauseReason }) =>
        row({ key: id, href: webhookUrl(organizationId, id), name, note: pauseReason && PAUSE_REASONS[pauseReason] }),
      ),
    },
    {
      id: 'member-keys',
      title: 'API keys of members that open this organization since an upgrade',
      total: memberKeys.length,
      href: membersUrl(organizationId),
      items: memberKeys.map(({ id, label, email }) =>
        row({ key: id, href: membersUrl(organizationId), name: label, note: `of ${email}` }),
      ),
    },
  ];
  return lists.flatMap((list) => (list.total === 0 ? [] : [{ ...list, items: list.items.slice(0, 3) }]));
}
