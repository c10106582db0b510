import type { VNode } from 'preact';
import { reasonNotTestable } from '../../modules/events';
import { type CheckProgress, isJobOver } from '../../modules/jobs';
import { JOB_REPORT_FORMATS } from '../../modules/reports';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { VerdictBadge } from '../frame/badges';
import { Form } from '../frame/form';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { Table } from '../frame/table';
import { FollowedPart } from '../live/followed-part';
import { assetsUrl, eventUrl, findingUrl, newReportUrl, scansUrl, scanUrl } from '../urls';
import { severityColumn, titleColumn } from '../findings/finding-columns';
import { severityNumber } from '../../kernel/severity';
import { ActivePart } from './active-part';
import { GateAnswer } from './gate-answer';
import { PipelineStep } from './pipeline-step';
import { ScanLanes } from './scan-lanes';
import { CheckList, ScanProgressPart } from './scan-progress';
import type { ScanView } from './scan-reader';

/** All of it changes with the end of the scan. */
export const ScanPage = ({ view }: { view: ScanView }): VNode => (
  <div class="columns" id="live">
    <div>
      {isRunning(view) ? <Running view={view} /> : <Ended view={view} />}
      {isRunning(view) && view.summary.findings.size > 0 && <Findings view={view} />}
      <ActivePart {...view} uuid={view.summary.job.uuid} active={view.summary.active} />
    </div>
    <aside>
      <Facts view={view} />
      <PipelineStep view={view} />
      <Reports view={view} />
    </aside>
  </div>
);

export const isRunning = ({ summary: { job } }: ScanView): boolean => !isJobOver(job.status);

function Running({ view }: { view: ScanView }): VNode {
  const { organizationId, summary, waiting, progress, titles, mayScan } = view;
  const { uuid, status, started } = summary.job;
  const base = scanUrl(organizationId, uuid);
  return (
    <Card id="progress" title="Progress">
      <FollowedPart stream={`${base}/progress`} page={`${base}/live`}>
        <ScanProgressPart scan={{ status, started, waiting, progress }} titles={titles} />
      </FollowedPart>
      {mayScan && (
        <Form action={`${base}/cancel`}>
          <button>Cancel the scan</button> <span class="muted">What it has found stays.</span>
        </Form>
      )}
    </Card>
  );
}

const Ended = ({ view }: { view: ScanView }): VNode => (
  <>
    <Gate view={view} />
    <ScanLanes view={view} />
    <Findings view={view} />
    <Checks view={view} />
  </>
);

const Gate = ({ view }: { view: ScanView }): VNode => (
  <Card id="gate" title="Gate" role="status">
    <GateAnswer {...view} />
    <p>
      <a href={`${scanUrl(view.organizationId, view.summary.job.uuid)}/compare`}>Compare with an earlier scan</a>
    </p>
    {view.mayScan && <ScanAgain view={view} />}
  </Card>
);

function ScanAgain({ view: { organizationId, summary, event } }: { view: ScanView }): VNode {
  const isWithoutEvent = event !== null && reasonNotTestable(event.status, 'job') !== null;
  return (
    <Form action={`${scanUrl(organizationId, summary.job.uuid)}/again`}>
      {isWithoutEvent && <input type="hidden" name="without_event" value="true" />}
      <button class="primary">Scan again{isWithoutEvent && `, without the event, which is ${event.status}`}</button>
    </Form>
  );
}

/** Only the end of a scan decides it. */
const gateColumn = {
  label: 'Gate',
  class: 'nowrap muted',
  cell: ({ failsGate }: { failsGate: boolean }) => (failsGate ? 'fails it' : 'does not fail it'),
};

const OUTCOMES = { seen: 'found', fixed: 'fixed', not_seen: 'not_confirmed_as_fixed' } as const;

function Findings({ view }: { view: ScanView }): VNode {
  const { organizationId, summary } = view;
  const findings = [...summary.findings].map(([id, one]) => ({ ...one, id, severity: severityNumber(one.severity) }));
  return (
    <Card id="found" title="Findings">
      {findings.length === 0 ? (
        <p class="muted">The scan found nothing, and nothing is known of this site from before.</p>
      ) : (
        <Table
          rows={findings}
          columns={[
            severityColumn,
            titleColumn(organizationId),
            {
              label: 'This scan',
              class: 'nowrap',
              cell: ({ outcome, byRefusal }) => (
                <VerdictBadge verdict={byRefusal ? 'fixed_by_refusal' : OUTCOMES[outcome]} />
              ),
            },
            ...(isRunning(view) ? [] : [gateColumn]),
          ]}
        />
      )}
      {summary.contradictions.length > 0 && (
        <>
          <p>These findings are resolved, but the scan saw them before somebody said so:</p>
          <ul class="plain">
            {summary.contradictions.map(({ findingId, title, contradiction }) => (
              <li key={findingId}>
                <a href={findingUrl(organizationId, findingId)} dir="auto">
                  {title}
                </a>
                : {contradiction === 'retest_started' ? 'a retest was started' : 'contradicts, retest it'}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function Checks({ view: { summary, titles } }: { view: ScanView }): VNode | null {
  const { coverage } = summary;
  if (coverage.length === 0) return null;
  const all = coverage.map(({ check, outcome, reason }): CheckProgress => ({ check, state: outcome, reason }));
  const shown = all.filter(({ state }) => state !== 'not_applicable');
  const others = all.filter(({ state }) => state === 'not_applicable');
  return (
    <Card id="checks" title={pluralize(shown.length, 'check')}>
      <CheckList checks={shown} titles={titles} fixedByRefusal={summary.fixedByRefusal} />
      {others.length > 0 && (
        <details>
          <summary>{pluralize(others.length, 'check')} that do not apply</summary>
          <CheckList checks={others} titles={titles} />
        </details>
      )}
    </Card>
  );
}

function Facts({ view: { organizationId, summary, beacon, event } }: { view: ScanView }): VNode {
  const { job } = summary;
  return (
    <Card id="facts" title="Details">
      <dl class="facts">
        <Fact label="Target">{job.url}</Fact>
        {job.depth === 'active' && <Fact label="Depth">Active</Fact>}
        {beacon !== null && <Fact label="Through the beacon">{beacon.name}</Fact>}
        {event !== null && (
          <Fact label="Event">
            <a href={eventUrl(organizationId, event.slug)}>{event.name}</a>
          </Fact>
        )}
        {job.hostedTarget !== null && (
          <Fact label="Hosted elsewhere">
            at <bdi>{job.hostedTarget}</bdi> ({job.hostedBy}): passive checks only
          </Fact>
        )}
        {isJobOver(job.status) && (
          <Fact label="State">
            <VerdictBadge verdict={job.status.toLowerCase()} />
            {job.error !== null && <p dir="auto">{job.error}</p>}
          </Fact>
        )}
        {job.assetId !== null && (
          <Fact label="Asset">
            <a href={`${assetsUrl(organizationId)}/${job.assetId}`}>Show the asset</a>
          </Fact>
        )}
        <Fact label="Ordered">
          <Time at={job.created} />
        </Fact>
        {job.started !== null && job.finished !== null && (
          <Fact label="Took">{Math.round((job.finished.getTime() - job.started.getTime()) / 1_000)} s</Fact>
        )}
      </dl>
      <p>
        <a href={scansUrl(organizationId)}>All scans</a>
      </p>
    </Card>
  );
}

function Reports({ view }: { view: ScanView }): VNode | null {
  const { organizationId, summary, mayScan } = view;
  const { uuid, status } = summary.job;
  if (status !== 'FINISHED') return null;
  return (
    <Card id="reports" title="Reports">
      <ul class="links">
        {JOB_REPORT_FORMATS.map((format) => (
          <li key={format}>
            <a href={`${scanUrl(organizationId, uuid)}/report?format=${format}`} download>
              {format}
            </a>
          </li>
        ))}
      </ul>
      {mayScan && (
        <p>
          <a href={newReportUrl(organizationId, { subject: `job ${uuid}` })}>New PDF or HTML report</a>
        </p>
      )}
    </Card>
  );
}
