import type { VNode } from 'preact';
import {
  isRetestOver,
  type ProbeProgress,
  type RequestLine,
  type RetestAtWork,
  type RetestProgress,
  type RetestsService,
} from '../../modules/retests';
import { Scope } from '../../platform/api/scope';
import { VerdictBadge } from '../frame/badges';
import { pluralize } from '../frame/words';
import type { Followed } from '../live/live-streams';

interface RetestProgressProps {
  readonly status: RetestAtWork['retest']['status'];
  readonly position: number | null;
  readonly progress: RetestProgress | null;
}

/** The last retest of a finding, until it has ended. */
export const followedRetest = (
  retests: RetestsService,
  organizationId: number,
  findingId: number,
): Followed<RetestProgressProps> => ({
  key: `finding ${findingId}`,
  organizationId,
  read: async () => {
    const { retest, position, progress } = await retests.atWork(Scope.organizations([organizationId]), { findingId });
    const { status } = retest;
    return { state: { status, position, progress }, isOver: isRetestOver(status), isMoving: status !== 'pending' };
  },
  render: (state) => <RetestProgressPart {...state} />,
});

/** What the worker has done so far: the control, and each probe beside it. */
export function RetestProgressPart({ status, position, progress }: RetestProgressProps): VNode {
  if (status === 'pending')
    return (
      <p>
        <VerdictBadge verdict={status} /> It waits for a worker
        {position !== null && `: number ${position} in the queue of the organization`}.
      </p>
    );
  const { probes, repeats, requests } = progress ?? { probes: [], repeats: 0, requests: 0 };
  const checks = probes.filter(({ kind }) => kind === 'probe').length;
  return (
    <>
      <p>
        <VerdictBadge verdict={status} />, {pluralize(requests, 'request')} until now. The verdict appears here.
        {progress?.waiting !== undefined && ` It is ${progress.waiting}.`}
      </p>
      <ol class="progress">
        {probes.map((probe, index) => (
          <ProbeRows key={index} probe={probe} number={probes.slice(0, index + 1).filter(isProbe).length} />
        ))}
        {repeats > 0 && (
          <li>
            <span class="what">Repeats</span> {pluralize(repeats, 'time')} the same request, on new connections
          </li>
        )}
        <li class="running">
          <span class="what">{repeats > 0 ? 'Next request' : `Probe ${checks + 1}`}</span> running
        </li>
      </ol>
    </>
  );
}

const isProbe = ({ kind }: ProbeProgress): boolean => kind === 'probe';

/** The control is shown beside the first probe, and where it did not hold. */
function ProbeRows({ probe, number }: { probe: ProbeProgress; number: number }): VNode {
  const { kind, control, controlFailure, check, state, detail } = probe;
  const isFinal = kind === 'control';
  return (
    <>
      {control !== null && (isFinal || number === 1 || controlFailure !== null) && (
        <li>
          <span class="what">{isFinal ? 'Control again' : 'Control'}</span> <Line line={control} />{' '}
          {controlFailure === null ? <span class="muted">as before</span> : <span dir="auto">{controlFailure}</span>}
        </li>
      )}
      {!isFinal && (
        <li>
          <span class="what">Probe {number}</span> <ProbeLine line={check ?? control} />{' '}
          <VerdictBadge verdict={state} />
          {state !== 'not_vulnerable' && (
            <>
              {' '}
              <span dir="auto">{detail}</span>
            </>
          )}
        </li>
      )}
    </>
  );
}

const ProbeLine = ({ line }: { line: RequestLine | null }): VNode =>
  line === null ? <>no request</> : <Line line={line} />;

const Line = ({ line: { request, answer, address } }: { line: RequestLine }): VNode => (
  <>
    <code dir="ltr">{request}</code> <span dir="auto">{answer}</span>
    {address !== null && <span class="muted"> {address}</span>}
  </>
);
