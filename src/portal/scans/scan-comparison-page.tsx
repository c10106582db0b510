import type { VNode } from 'preact';
import type { ComparedJobs, FindingChange, Job, UndecidedCheck } from '../../modules/jobs';
import { severityColumn, titleColumn } from '../findings/finding-columns';
import { VerdictBadge } from '../frame/badges';
import { Card } from '../frame/card';
import { Table } from '../frame/table';
import { useView } from '../frame/view';
import { asSentence } from '../frame/words';
import { scanUrl } from '../urls';
import { timeOfScan } from './scan-name';
import { LABELS } from './scan-progress';

interface ScanComparisonProps extends ComparedJobs {
  /** The scan of the page. */
  readonly job: Job;
}

type Compared = NonNullable<ComparedJobs['compared']>;

/** What changed, and what it does and does not mean. */
const GROUPS: readonly (readonly [FindingChange, string, string])[] = [
  ['new', 'New', 'The earlier scan ran their checks, and did not see them.'],
  [
    'found',
    'Found, and not tested before',
    'The earlier scan did not decide their checks. They may have been there before.',
  ],
  ['fixed', 'Fixed', 'The later scan tested them again, and confirmed the fix.'],
  ['not_seen', 'Not seen any more', 'Their checks passed. That alone does not confirm a fix: retest them.'],
  ['unknown', 'Not known', 'The later scan did not decide their checks. They may still be there.'],
  ['still_there', 'Still there', 'Both scans saw them.'],
];

export function ScanComparisonPage({ job, others, compared }: ScanComparisonProps): VNode {
  const base = scanUrl(job.organizationId, job.uuid);
  const { timeZone } = useView();
  return (
    <>
      {others.length > 0 && (
        <form class="filters" action={`${base}/compare`}>
          <label>
            Compare with
            <select name="with">
              {others.map(({ id, uuid, created }) => (
                <option key={uuid} value={uuid} selected={id === compared?.earlier.id || id === compared?.later.id}>
                  {timeOfScan(created, timeZone)}
                </option>
              ))}
            </select>
          </label>
          <button>Compare</button>
        </form>
      )}
      {compared === null ? (
        <section class="empty">
          <h2>No other scan of this target</h2>
          <p>
            A comparison needs two scans of the same URL and network that have ended. <a href={base}>Scan again</a>
          </p>
        </section>
      ) : (
        <Changes compared={compared} />
      )}
    </>
  );
}

function Changes({ compared: { earlier, later, findings, undecided } }: { compared: Compared }): VNode {
  const { organizationId } = later;
  const groups = GROUPS.map(([change, title, hint]) => {
    const rows = findings.filter((one) => one.change === change);
    return { change, title, hint, rows };
  }).filter(({ rows }) => rows.length > 0);
  const counts = groups.map(({ title, rows }) => `${rows.length} ${title.toLowerCase()}`);
  const differences = differencesOf(earlier, later);
  return (
    <div class="stack">
      <p>
        From <ScanLink job={earlier} /> to <ScanLink job={later} />:{' '}
        {counts.length === 0 ? 'both scans saw nothing.' : `${counts.join(', ')}.`}
      </p>
      {differences.length > 0 && (
        <Card id="differences" title="Not every change is one of the target">
          <ul>
            {differences.map((sentence) => (
              <li key={sentence} dir="auto">
                {sentence}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {groups.map(({ change, title, hint, rows }) => (
        <Card key={change} id={change} title={`${title}: ${rows.length}`}>
          <p class="muted">{hint}</p>
          <Table
            rows={rows}
            columns={[
              severityColumn,
              titleColumn(organizationId),
              { label: 'Test of the other scan', dir: 'auto', cell: ({ reason }) => reason && asSentence(reason) },
            ]}
          />
        </Card>
      ))}
      {undecided.length > 0 && (
        <Card id="undecided" title={`Checks that could not be decided: ${undecided.length}`}>
          <Table
            rows={undecided}
            columns={[
              { label: 'Check', class: 'nowrap', cell: ({ check }) => <code>{check}</code> },
              { label: 'Place', class: 'main wide', cell: ({ location }) => <bdi>{location}</bdi> },
              { label: 'Earlier scan', isNamed: true, cell: (one) => <Result of={one.earlier} /> },
              { label: 'Later scan', isNamed: true, cell: (one) => <Result of={one.later} /> },
            ]}
          />
        </Card>
      )}
    </div>
  );
}

const ScanLink = ({ job: { organizationId, uuid, created } }: { job: Job }): VNode => (
  <a href={scanUrl(organizationId, uuid)}>{timeOfScan(created, useView().timeZone)}</a>
);

const Result = ({ of }: { of: UndecidedCheck['earlier'] }): VNode =>
  of === null ? (
    <span class="muted">Not tested there</span>
  ) : (
    <>
      <VerdictBadge verdict={LABELS[of.outcome]} />
      {(of.outcome === 'inconclusive' || of.outcome === 'blocked') && <p class="muted">{asSentence(of.reason)}</p>}
    </>
  );

const checksOf = ({ checks }: Job): string => checks?.join(', ') ?? 'all built-in checks';

/** Options and ends, because of which the results may differ although the target did not change. */
function differencesOf(earlier: Job, later: Job): string[] {
  const differing = (text: (job: Job) => string): string | false =>
    text(earlier) !== text(later) && `The earlier scan ${text(earlier)}, the later one ${text(later)}.`;
  return [
    differing((job) => `ran ${checksOf(job)}`),
    differing(({ url }) => `requested ${url}`),
    differing(({ eventId }) => (eventId === null ? 'belongs to no event' : `belongs to event ${eventId}`)),
    differing(({ hostedTarget }) => `could run ${hostedTarget === null ? 'all' : 'only passive'} checks`),
    differing(({ status, error }) =>
      status === 'FINISHED' ? 'finished' : `ended early (${error ?? 'it was canceled'})`,
    ),
  ].filter((sentence) => sentence !== false);
}
