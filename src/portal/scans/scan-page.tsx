import type { VNode } from 'preact';
import { type CheckProgress, isJobOver } from '../../modules/jobs';
import { JOB_REPORT_FORMATS } from '../../modules/reports';
import { SeverityBadge, VerdictBadge } from '../frame/badges';
import { CopyBlock } from '../frame/copy-block';
import { Form } from '../frame/form';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { FollowedPart } from '../live/followed-part';
import { assetsUrl, findingUrl, reportsUrl, scansUrl, scanUrl } from '../urls';
import { CheckList, ScanProgressPart } from './scan-progress';
import type { ScanView } from './scan-reader';
import { GateBadge } from './scans-page';

/** All of it changes with the end of the scan. */
export const ScanPage = ({ view }: { view: ScanView }): VNode => (
  <div class="columns" id="live">
    <div>{isRunning(view) ? <Running view={view} /> : <Ended view={view} />}</div>
    <aside>
      <Facts view={view} />
      <PipelineStep view={view} />
      <Reports view={view} />
    </aside>
  </div>
);

export const isRunning = ({ summary: { job } }: ScanView): boolean => !isJobOver(job.status);

function Running({ view }: { view: ScanView }): VNode {
  const { organizationId, summary, position, progress, titles, mayScan } = view;
  const { uuid, status, started } = summary.job;
  const base = scanUrl(organizationId, uuid);
  return (
    <section class="card" aria-labelledby="progress-title">
      <h2 id="progress-title">Progress</h2>
      <FollowedPart stream={`${base}/progress`} page={`${base}/live`}>
        <ScanProgressPart scan={{ status, started, position, checks: progress?.checks ?? [] }} titles={titles} />
      </FollowedPart>
      {mayScan && (
        <Form action={`${base}/cancel`}>
          <button>Cancel the scan</button>
        </Form>
      )}
    </section>
  );
}

const Ended = ({ view }: { view: ScanView }): VNode => (
  <>
    <Gate view={view} />
    <Findings view={view} />
    <Checks view={view} />
  </>
);

/** As a pipeline gets it. */
const Gate = ({ view: { summary } }: { view: ScanView }): VNode => (
  <section class="card" aria-labelledby="gate-title" role="status">
    <h2 id="gate-title">Gate</h2>
    <p>
      <GateBadge success={summary.gate.success === true} /> <span dir="auto">{summary.gate.description}</span>
    </p>
  </section>
);

const OUTCOMES = { seen: 'found', fixed: 'fixed', not_seen: 'not_confirmed_as_fixed' } as const;

function Findings({ view: { organizationId, summary } }: { view: ScanView }): VNode {
  const findings = [...summary.findings];
  return (
    <section class="card" aria-labelledby="found-title">
      <h2 id="found-title">Findings</h2>
      {findings.length === 0 ? (
        <p class="muted">The scan found nothing, and nothing is known of this site from before.</p>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Severity</th>
              <th scope="col">Finding</th>
              <th scope="col">This scan</th>
              <th scope="col">Gate</th>
            </tr>
          </thead>
          <tbody>
            {findings.map(([id, { title, severity, outcome, failsGate }]) => (
              <tr key={id}>
                <td class="nowrap">
                  <SeverityBadge severity={severity} />
                </td>
                <td class="main wide" dir="auto">
                  <a href={findingUrl(organizationId, id)}>{title}</a>
                </td>
                <td class="nowrap">
                  <VerdictBadge verdict={OUTCOMES[outcome]} />
                </td>
                <td class="nowrap muted">{failsGate ? 'fails it' : 'does not fail it'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Checks({ view: { summary, titles } }: { view: ScanView }): VNode | null {
  const { coverage } = summary;
  if (coverage.length === 0) return null;
  const all = coverage.map(({ check, outcome, reason }): CheckProgress => ({ check, state: outcome, reason }));
  const shown = all.filter(({ state }) => state !== 'not_applicable');
  const others = all.filter(({ state }) => state === 'not_applicable');
  return (
    <section class="card" aria-labelledby="checks-title">
      <h2 id="checks-title">{pluralize(shown.length, 'check')}</h2>
      <CheckList checks={shown} titles={titles} />
      {others.length > 0 && (
        <details>
          <summary>{pluralize(others.length, 'check')} that do not apply</summary>
          <CheckList checks={others} titles={titles} />
        </details>
      )}
    </section>
  );
}

function Facts({ view: { organizationId, summary, beacon } }: { view: ScanView }): VNode {
  const { job } = summary;
  return (
    <section class="card" aria-labelledby="facts-title">
      <h2 id="facts-title">Details</h2>
      <dl class="facts">
        <div>
          <dt>Target</dt>
          <dd dir="auto">{job.url}</dd>
        </div>
        {beacon !== null && (
          <div>
            <dt>Through the beacon</dt>
            <dd>{beacon.name}</dd>
          </div>
        )}
        {isJobOver(job.status) && (
          <div>
            <dt>State</dt>
            <dd>
              <VerdictBadge verdict={job.status.toLowerCase()} />
              {job.error !== null && <p dir="auto">{job.error}</p>}
            </dd>
          </div>
        )}
        {job.assetId !== null && (
          <div>
            <dt>Asset</dt>
            <dd>
              <a href={`${assetsUrl(organizationId)}/${job.assetId}`}>Show the asset</a>
            </dd>
          </div>
        )}
        <div>
          <dt>Ordered</dt>
          <dd>
            <Time at={job.created} />
          </dd>
        </div>
        {job.started !== null && job.finished !== null && (
          <div>
            <dt>Took</dt>
            <dd>{Math.round((job.finished.getTime() - job.started.getTime()) / 1_000)} s</dd>
          </div>
        )}
      </dl>
      <p>
        <a href={scansUrl(organizationId)}>All scans</a>
      </p>
    </section>
  );
}

const PipelineStep = ({ view: { summary, beacon } }: { view: ScanView }): VNode => (
  <section class="card" aria-labelledby="pipeline-title">
    <h2 id="pipeline-title">In a pipeline</h2>
    <p>
      <code>pipeline.sh</code> is in the folder examples. It ends with 0 if the gate passes. Make a key with the scope{' '}
      <code>ci</code> in <a href="/settings/api">API keys</a>.
    </p>
    <CopyBlock id="pipeline-step" label="Pipeline step" text={stepFor(summary.job.url, beacon)} />
  </section>
);

const SECRETS = ['ASSAY_API_KEY', 'ASSAY_API_SECRET'].map((name) => `    ${name}: \${{ secrets.${name} }}`);

/** In single quotes, in which a shell changes nothing. */
const stepFor = (url: string, beacon: ScanView['beacon']): string =>
  [
    '- name: Scan with Assay',
    `  run: ./pipeline.sh '${url.replaceAll("'", '%27')}'`,
    '  env:',
    '    ASSAY_URL: ${{ vars.ASSAY_URL }}',
    ...SECRETS,
    ...(beacon === null ? [] : [`    ASSAY_BEACON: '${beacon.id}'`]),
  ].join('\n');

function Reports({ view }: { view: ScanView }): VNode | null {
  const { organizationId, summary, mayScan } = view;
  const { uuid, status } = summary.job;
  if (status !== 'FINISHED') return null;
  return (
    <section class="card" aria-labelledby="reports-title">
      <h2 id="reports-title">Reports</h2>
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
          <a href={`${reportsUrl(organizationId)}?job=${uuid}`}>Order a PDF or HTML report</a>
        </p>
      )}
    </section>
  );
}
