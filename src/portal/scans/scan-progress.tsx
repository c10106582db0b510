import type { VNode } from 'preact';
import type { CheckProgress, JobProgress, JobStatus, JobWaiting } from '../../modules/jobs';
import { VerdictBadge } from '../frame/badges';
import { Reason } from '../frame/reason';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';

/** What changes while a scan runs. */
export interface ScanAtWork {
  readonly status: JobStatus;
  readonly started: Date | null;
  readonly waiting: JobWaiting | null;
  /** Null before its worker has said something. */
  readonly progress: JobProgress | null;
}

interface ScanProgressProps {
  readonly scan: ScanAtWork;
  /** Of the checks, by their id. */
  readonly titles: ReadonlyMap<string, string>;
}

const isDone = ({ state }: CheckProgress): boolean => state !== 'planned' && state !== 'running';

/** The checks of a running scan, and how many of them are done. */
export function ScanProgressPart({ scan: { status, started, waiting, progress }, titles }: ScanProgressProps): VNode {
  const { checks = [], account, waiting: pause } = progress ?? {};
  const shown = checks.filter(({ state }) => state !== 'not_applicable');
  const done = shown.filter(isDone).length;
  const found = shown.filter(({ state }) => state === 'vulnerable').length;
  if (status === 'PENDING')
    return (
      <p>
        It waits{waiting !== null && `, number ${waiting.position} in the queue of the organization: ${waiting.reason}`}
        .
        {waiting !== null && (
          <span class="muted">
            {' '}
            Since <Time at={waiting.since} />
            {waiting.until !== null && (
              <>
                , until <Time at={waiting.until} />
              </>
            )}
          </span>
        )}
      </p>
    );
  if (pause !== undefined) return <p>It is {pause}.</p>;
  if (checks.length === 0) return <p>The checks of this target are being selected.</p>;
  return (
    <>
      <p>
        <progress max={Math.max(1, shown.length)} value={done} aria-label="Checks that are done" /> {done} of{' '}
        {pluralize(shown.length, 'check')} done, {found} found
        {account !== undefined && `, as ${account}`}
        {started !== null && <Elapsed since={started} />}
      </p>
      <CheckList checks={shown} titles={titles} />
    </>
  );
}

/** A script counts on. */
function Elapsed({ since }: { since: Date }): VNode {
  const seconds = Math.max(0, Math.floor((Date.now() - since.getTime()) / 1_000));
  return (
    <>
      , <span data-elapsed={seconds}>{seconds} s</span>
    </>
  );
}

/** What asks for attention comes first. */
const ORDER: Readonly<Record<CheckProgress['state'], number>> = {
  vulnerable: 0,
  blocked: 1,
  inconclusive: 2,
  running: 3,
  planned: 4,
  not_vulnerable: 5,
  not_applicable: 6,
};

export const LABELS: Readonly<Record<CheckProgress['state'], string>> = {
  vulnerable: 'found',
  blocked: 'blocked',
  inconclusive: 'could_not_be_decided',
  running: 'running',
  planned: 'planned',
  not_vulnerable: 'not_found',
  not_applicable: 'does_not_apply',
};

export const CheckList = ({
  checks,
  titles,
  fixedByRefusal,
}: { checks: readonly CheckProgress[]; fixedByRefusal?: ReadonlySet<string> } & Pick<
  ScanProgressProps,
  'titles'
>): VNode => (
  <ul class="checks">
    {checks
      .toSorted((one, other) => ORDER[one.state] - ORDER[other.state])
      .map(({ check, state, reason }) => (
        <li key={check}>
          <VerdictBadge verdict={fixedByRefusal?.has(check) === true ? 'fixed_by_refusal' : LABELS[state]} />
          <span>
            {titles.get(check) ?? check} <code>{check}</code>
            {reason !== null && (
              <span class="muted reason" dir="auto">
                <Reason text={reason} />
              </span>
            )}
          </span>
        </li>
      ))}
  </ul>
);
