import type { ComponentChildren, VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import type { Domain } from '../../modules/assets';
import { type Beacon, BEACON_STATUS } from '../../modules/beacons';
import { FINDING_STATUS } from '../../modules/findings';
import { Card } from '../frame/card';
import { SeverityBadge } from '../frame/badges';
import { countText } from '../frame/words';
import { Time } from '../frame/time';
import { DueDate } from '../findings/due-date';
import { beaconsUrl, domainsUrl, findingsUrl, findingUrl, importsUrl, membersUrl, scansUrl } from '../urls';
import { type HomeView, SHOWN } from './home-reader';
import { HomeTabs } from './home-tabs';
import { TurnOnObservation } from './turn-on-observation';

interface Matter {
  readonly id: string;
  readonly title: string;
  /** What it means, and what to do about it. */
  readonly advice: string;
  readonly total: number;
  readonly items: readonly VNode[];
  readonly all: { readonly text: string; readonly href: string };
}

/** The sum of the counts, for the title of the tab. */
export const attentionCount = (view: HomeView): string =>
  countText(mattersOf(view).reduce((sum, { total }) => sum + total, 0));

export function HomePage({ view }: { view: HomeView }): VNode {
  const matters = mattersOf(view).filter(({ total }) => total > 0);
  const isEmpty = !view.hasFindings && !view.hasAssets;
  return (
    <>
      <HomeTabs organizationId={view.organizationId} current="home" />
      {view.offersObservation && <TurnOnObservation organizationId={view.organizationId} />}
      {isEmpty && <FirstSteps organizationId={view.organizationId} />}
      {!isEmpty && matters.length === 0 && <NothingToDo view={view} />}
      <div class="matters">
        {matters.map((matter) => (
          <MatterCard key={matter.id} matter={matter} />
        ))}
      </div>
    </>
  );
}

const MatterCard = ({ matter: { id, title, advice, total, items, all } }: { matter: Matter }): VNode => (
  <Card
    id={id}
    class="matter"
    title={
      <>
        {title} <span class="muted">{countText(total)}</span>
      </>
    }
  >
    <p class="muted">{advice}</p>
    <ul class="plain">{items}</ul>
    <p>
      <a href={all.href}>{all.text}</a>
    </p>
  </Card>
);

interface NotedFinding {
  readonly id: number;
  readonly title: string;
  readonly severity: number;
  readonly assetValue: string;
}

function mattersOf(view: HomeView): Matter[] {
  const { organizationId, overdue, waiting, reopened, endingAcceptances, undecided, beacons, domains, memberKeys } =
    view;
  const item = (finding: NotedFinding, note?: ComponentChildren): VNode => (
    <FindingItem key={finding.id} url={findingUrl(organizationId, finding.id)} finding={finding} note={note} />
  );
  return [
    {
      id: 'overdue',
      title: 'Overdue',
      advice: 'These were to be fixed by now.',
      total: overdue.total ?? 0,
      items: overdue.items.map((finding) => item(finding, <DueDate finding={finding} />)),
      all: {
        text: 'All overdue findings',
        href: findingsUrl(organizationId, { overdue: true, sort: 'due_date' }),
      },
    },
    {
      id: 'waiting',
      title: 'Waiting for a retest',
      advice: 'Someone has fixed these. A retest shows whether the fix works.',
      total: waiting.total ?? 0,
      items: waiting.items.map((finding) => item(finding)),
      all: {
        text: 'All that wait for a retest',
        href: findingsUrl(organizationId, { status: FINDING_STATUS.ready_for_retest }),
      },
    },
    {
      id: 'reopened',
      title: 'Reopened',
      advice: 'These were resolved, and were found again.',
      total: reopened.total,
      items: reopened.items.map((finding) =>
        item(
          finding,
          <>
            seen again <Time at={finding.lastSeen} to="day" />
          </>,
        ),
      ),
      all: { text: 'All open findings', href: findingsUrl(organizationId, { status: FINDING_STATUS.open }) },
    },
    {
      id: 'undecided',
      title: 'Retests without a result',
      advice: 'The last retest could not decide. Each finding says why, and what helps.',
      total: undecided.length,
      items: undecided.slice(0, SHOWN).map((finding) => item(finding, finding.reason)),
      all: { text: 'All findings', href: findingsUrl(organizationId) },
    },
    {
      id: 'acceptances',
      title: 'Acceptances that end soon',
      advice: 'These risks are accepted for at most two more weeks. Then the findings are open again.',
      total: endingAcceptances.total,
      items: endingAcceptances.items.map((finding) =>
        item(
          finding,
          finding.acceptedUntil && (
            <>
              until <Time at={finding.acceptedUntil} to="day" />
            </>
          ),
        ),
      ),
      all: { text: 'All accepted risks', href: findingsUrl(organizationId, { status: FINDING_STATUS.risk_accepted }) },
    },
    {
      id: 'beacons',
      title: 'Beacons that do not report',
      advice: 'Networks behind these beacons cannot be tested. Check the machine and its connection.',
      total: beacons.length,
      items: beacons
        .slice(0, SHOWN)
        .map((beacon) => <BeaconItem key={beacon.id} beacon={beacon} url={beaconsUrl(organizationId)} />),
      all: { text: 'All beacons', href: beaconsUrl(organizationId) },
    },
    {
      id: 'domains',
      title: 'Domains without proof',
      advice: 'Domains are tested when a DNS record proves who owns them.',
      total: domains.total ?? 0,
      items: domains.items.map((domain) => (
        <DomainItem key={domain.id} domain={domain} url={domainsUrl(organizationId)} />
      )),
      all: { text: 'All domains', href: domainsUrl(organizationId) },
    },
    {
      id: 'member-keys',
      title: 'API keys of members',
      advice: 'They had no limit before an upgrade, and open this organization. Keep them or end their access.',
      total: memberKeys.length,
      items: memberKeys.slice(0, SHOWN).map(({ id, label, email }) => (
        <li key={id}>
          <span dir="auto">{label}</span> <span class="muted">of {email}</span>
        </li>
      )),
      all: { text: 'Look at these keys', href: membersUrl(organizationId) },
    },
  ];
}

interface FindingItemProps {
  readonly url: string;
  readonly finding: NotedFinding;
  readonly note: ComponentChildren;
}

const FindingItem = ({ url, finding: { title, severity, assetValue }, note }: FindingItemProps): VNode => (
  <li>
    <SeverityBadge severity={SEVERITIES[severity] ?? 'none'} />{' '}
    <a href={url} dir="auto">
      {title}
    </a>{' '}
    <span class="muted">
      <bdi>{assetValue}</bdi>
      {note != null && <>, {note}</>}
    </span>
  </li>
);

const BeaconItem = ({ beacon: { name, status, lastReport }, url }: { beacon: Beacon; url: string }): VNode => (
  <li>
    <a href={url} dir="auto">
      {name}
    </a>{' '}
    <span class="muted">
      {status === BEACON_STATUS.offline ? 'offline' : 'late'}
      {lastReport !== null && (
        <>
          , last report <Time at={lastReport} />
        </>
      )}
    </span>
  </li>
);

const DomainItem = ({ domain: { value, verified }, url }: { domain: Domain; url: string }): VNode => (
  <li>
    <a href={url} dir="auto">
      {value}
    </a>{' '}
    <span class="muted">{verified ? 'the last lookups did not find its record' : 'its record was not found yet'}</span>
  </li>
);

const FirstSteps = ({ organizationId }: { organizationId: number }): VNode => (
  <section class="empty" aria-labelledby="first-steps">
    <h2 id="first-steps">Nothing is tested yet</h2>
    <ol>
      <li>
        <a href={domainsUrl(organizationId)}>Add a domain you own</a>, and publish the DNS record that proves it.
      </li>
      <li>
        <a href={scansUrl(organizationId)}>Scan a URL</a> of it. The findings appear here and in the list.
      </li>
      <li>
        Or <a href={importsUrl(organizationId)}>import the file of a scanner</a> that you use already.
      </li>
    </ol>
  </section>
);

const NothingToDo = ({ view: { organizationId, hasFindings } }: { view: HomeView }): VNode => (
  <section class="empty" aria-labelledby="nothing-to-do">
    <h2 id="nothing-to-do">Nothing needs you now</h2>
    <p>
      Nothing is overdue, no retest waits, every beacon reports, and every domain is proven.{' '}
      {hasFindings ? (
        <a href={findingsUrl(organizationId)}>All findings</a>
      ) : (
        <a href={scansUrl(organizationId)}>Scan a URL</a>
      )}
    </p>
  </section>
);
