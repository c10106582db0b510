import type { VNode } from 'preact';
import { type JobSuccess, stepOfJob } from '../../modules/jobs';
import { groupBy } from '../../kernel/group-by';
import { Reason, stepInPortal } from '../frame/reason';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { findingUrl } from '../urls';
import type { ScanView } from './scan-reader';
import { GateBadge } from './scans-page';

type Answered = Pick<ScanView, 'organizationId' | 'summary' | 'titles'>;

/** Of each kind. */
const SHOWN = 10;

/** What a pipeline gets as one text: the fact, why, what it means, and what to do. */
export function GateAnswer({ organizationId, summary, titles }: Answered): VNode {
  const { success, job } = summary;
  const checks = success.undecided.filter(({ findingId }) => findingId === null);
  const isBlocked = success.success === false && success.undecided.some(({ result }) => result === 'blocked');
  const nameOf = (check: string | null): VNode => (
    <>
      {titles.get(check ?? '') ?? check} <code>{check}</code>
    </>
  );
  const claims = success.failing.filter(({ isProved }) => isProved === false);
  const proved = success.failing.filter(({ isProved }) => isProved !== false);
  const textOf = ({ id, title, reason = 'found by this scan' }: (typeof claims)[number]): VNode => (
    <>
      <a href={findingUrl(organizationId, id)}>{title}</a>: <Reason text={reason} />
    </>
  );
  const [first] = claims;
  const lines = [
    ...proved.slice(0, SHOWN).map((finding) => (
      <li key={finding.id} dir="auto">
        {textOf(finding)}
      </li>
    )),
    first !== undefined && (
      <li dir="auto">
        {pluralize(claims.length + success.further, 'claim')} that no test has proved, such as {textOf(first)}
      </li>
    ),
    success.untested > 0 && <li>{pluralize(success.untested, 'further known finding')} that this scan did not test</li>,
    ...checks.slice(0, SHOWN).map(({ check, reason }) => (
      <li key={check} dir="auto">
        {nameOf(check)} could not be completed: <Reason text={reason} />
      </li>
    )),
    ...success.refused.map(({ check, reason }) => (
      <li key={check} dir="auto">
        {nameOf(check)} was refused, and counts as completed because few checks were: <Reason text={reason} />
      </li>
    )),
    ...success.accepted.map(({ checkId, assetValue, until, acceptedBy, reason }) => (
      <li key={`${checkId} ${assetValue}`} dir="auto">
        {nameOf(checkId)} is accepted on {assetValue} until <Time at={until} to="day" /> by {acceptedBy}: {reason}
      </li>
    )),
    job.checks !== null && <li>Only selected checks ran: {job.checks.join(', ')}.</li>,
  ];
  return (
    <>
      <p>
        <GateBadge success={success.success === true} /> <span dir="auto">{factOf(summary, checks.length)}</span>
      </p>
      <Lines lines={lines} />
      {isBlocked && (
        <p>
          Blocked means that the site refuses the tested request, and answers another one that cannot have the weakness.
          The weakness may still be there behind the refusal.
        </p>
      )}
      {success.success === false && <Steps {...{ organizationId, success }} />}
    </>
  );
}

const Lines = ({ lines }: { lines: readonly (VNode | false)[] }): VNode | null =>
  lines.some((line) => line !== false) ? <ul>{lines}</ul> : null;

function factOf({ success, gate, job }: ScanView['summary'], checks: number): string {
  const failing = success.failing.length + success.further + success.untested;
  if (job.status !== 'FINISHED') return success.description;
  const severity = `of at least ${gate.severity} severity`;
  if (success.success === true)
    return `There is no ${success.accepted.length > 0 ? 'other ' : ''}open finding ${severity}.`;
  const causes = [
    ...(failing > 0 ? [`${pluralize(failing, 'finding')} ${severity}`] : []),
    ...(checks > 0 ? [`${pluralize(checks, 'check')} that could not be completed`] : []),
  ];
  return `because of ${causes.join(' and ')}.`;
}

function Steps({ organizationId, success }: { organizationId: number; success: JobSuccess }): VNode | null {
  const steps = success.undecided.slice(0, SHOWN).flatMap((test) => {
    const step = stepOfJob(test);
    return step === null ? [] : [{ step: stepInPortal(step).replace(NAMED, NAMES), findingId: test.findingId }];
  });
  if (steps.length === 0) return null;
  return (
    <>
      <h3>What to do</h3>
      <Lines
        lines={[...groupBy(steps, ({ step }) => step)].map(([step, tests]) => (
          <li key={step}>
            {step
              .split(NAMES)
              .map((part, index) => [
                index > 0 && (
                  <Names organizationId={organizationId} ids={tests.flatMap(({ findingId }) => findingId ?? [])} />
                ),
                part,
              ])}
          </li>
        ))}
      />
    </>
  );
}

const NAMED = /\bfinding \d+/;
/** Stands for the findings that have the same step. */
const NAMES = '\0';

const Names = ({ organizationId, ids }: { organizationId: number; ids: readonly number[] }): VNode => (
  <>
    {ids.map((id, index) => (
      <>
        {index > 0 && ', '}
        <a key={id} href={findingUrl(organizationId, id)}>
          finding {id}
        </a>
      </>
    ))}
  </>
);
