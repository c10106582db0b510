import type { VNode } from 'preact';
import { isTestable, NO_CHECK, type VerificationResult } from '../../modules/findings';
import { decisiveProbe, type ExcerptPart, excerptOfProbe } from '../../modules/reports';
import type { RetestSummary, SecondLook } from '../../modules/retests';
import { Card } from '../frame/card';
import { VerdictBadge } from '../frame/badges';
import { Field, Form, Select } from '../frame/form';
import { FollowedPart } from '../live/followed-part';
import { Time } from '../frame/time';
import { asSentence, labelOf, pluralize } from '../frame/words';
import { findingUrl } from '../urls';
import type { FindingView } from './finding-reader';
import { RetestProgressPart } from './retest-progress';
import { isNotAllowed, WhyNotAllowed } from './unsafe-check';

/** Whether a worker runs the last retest, or will. Without a check it waits for a person, and nothing changes by itself. */
export const isUnderWay = ({ retests: [last] }: Pick<FindingView, 'retests'>): boolean =>
  last !== undefined && (last.status === 'in_progress' || (last.status === 'pending' && last.checkId !== null));

export function RetestPanel({ view }: { view: FindingView }): VNode {
  const [last] = view.retests;
  return (
    <Card id="retest" title="Retest">
      <div role="status">
        {last === undefined && <p>It was not retested yet.</p>}
        {last !== undefined && !isUnderWay(view) && <LastRetest {...{ view, last }} />}
      </div>
      {last !== undefined && isUnderWay(view) && (
        <FollowedPart
          stream={`${findingUrl(view.organizationId, view.finding.id)}/progress`}
          page={`${findingUrl(view.organizationId, view.finding.id)}/live`}
        >
          <RetestProgressPart status={last.status} position={view.position} progress={view.progress} />
        </FollowedPart>
      )}
      <VerificationText finding={view.finding} last={last} />
      <RetestActions view={view} last={last} />
    </Card>
  );
}

const LastRetest = ({ view, last }: { view: FindingView; last: RetestSummary }): VNode => (
  <>
    <p>
      <VerdictBadge verdict={last.result ?? last.status} /> <Time at={last.finished ?? last.created} />
      {last.judgedBy !== null && `, by ${view.people.get(last.judgedBy) ?? 'a former user'}`}
      {last.requests !== null && `, ${pluralize(last.requests, 'request')}`}
    </p>
    {last.reason !== null && <p dir="auto">{asSentence(last.reason)}</p>}
    {last.result === 'inconclusive' && last.checkId !== null && (
      <p>
        <a href={`${findingUrl(view.organizationId, view.finding.id)}/baseline`}>Compare the site with its baseline</a>
      </p>
    )}
    {last.secondLook !== null && <SecondLookText look={last.secondLook} />}
    {last.status === 'pending' && last.checkId === null && (
      <p>The finding has no check that can run. An admin gives the verdict by hand.</p>
    )}
  </>
);

const SecondLookText = ({ look: { due, finished, result, reason } }: { look: SecondLook }): VNode => (
  <>
    {finished !== null && (
      <p>
        {result === 'fixed' ? 'Confirmed again' : 'A second look was not conclusive'} (<Time at={finished} />
        ).{result !== 'fixed' && <span class="muted"> {reason}</span>}
      </p>
    )}
    {due !== null && (
      <p class="muted">
        Looked at again: <Time at={due} />
      </p>
    )}
  </>
);

const VERIFICATION_TEXTS: Readonly<Record<VerificationResult, string>> = {
  confirmed: 'A test confirmed the weakness',
  refuted: 'A test did not find the weakness. The status changes only when people change it',
  inconclusive: 'A test could not decide whether the weakness is there',
  untested: 'No test has shown whether the weakness is there',
};

/** Whether the weakness was there when it was recorded. Retests show whether it is fixed. */
function VerificationText({ finding, last }: Pick<FindingView, 'finding'> & { last: RetestSummary | undefined }) {
  const { verification, verifiedAt, verificationReason } = finding;
  // The retest above has said it.
  if (verificationReason !== null && verificationReason === last?.reason) return null;
  return (
    <p>
      {last?.result === 'fixed' && 'Before the fix. '}
      {VERIFICATION_TEXTS[verification]}
      {verifiedAt !== null && (
        <>
          {' '}
          (<Time at={verifiedAt} />)
        </>
      )}
      . <span class="muted">{asSentence(verificationReason ?? NO_CHECK)}</span>
    </p>
  );
}

const VERDICTS = ['fixed', 'still_vulnerable', 'inconclusive'].map((value) => ({ value, label: labelOf(value) }));

function RetestActions({ view, last }: { view: FindingView; last: RetestSummary | undefined }): VNode | null {
  const { organizationId, finding, mayTest, mayDecide } = view;
  const action = `${findingUrl(organizationId, finding.id)}/retest`;
  if (!mayTest) return <p class="muted">Members of the organization can start a retest.</p>;
  const isUnfinished = last?.status === 'pending' || last?.status === 'in_progress';
  if (finding.mergedInto !== null && !isUnfinished) return null;
  if (!isUnfinished && !isTestable(finding.status))
    return <p class="muted">A finding with this status is not retested. Open it again first.</p>;
  if (!isUnfinished && isNotAllowed(view)) return <WhyNotAllowed view={view} />;
  if (!isUnfinished)
    return (
      <Form action={action}>
        <button class="primary compact">Retest now</button>
      </Form>
    );
  return (
    <>
      {mayDecide && last.status === 'pending' && last.checkId === null && (
        <Form action={`${action}/verdict`} class="inline-form">
          <Select name="result" label="Verdict" options={VERDICTS} />
          <Field id="verdict-reason" name="comment" label="Reason" input={{ maxLength: 2000, required: false }} />
          <button>Give the verdict</button>
        </Form>
      )}
      <Form action={`${action}/cancel`}>
        <button>Cancel the retest</button>
      </Form>
    </>
  );
}

export function Evidence({ view: { organizationId, finding, retests } }: { view: FindingView }): VNode | null {
  const proven = retests.find(({ probes }) => probes.length > 0);
  const probe = proven && decisiveProbe(proven.probes);
  if (proven === undefined || probe === undefined) return null;
  const { decisive, others } = excerptOfProbe(probe, finding.location);
  const base = findingUrl(organizationId, finding.id);
  return (
    <Card id="evidence" title="Evidence">
      <p>
        <VerdictBadge verdict={probe.state} /> <span dir="auto">{probe.detail}</span>
      </p>
      {decisive !== null && (
        <>
          <p class="muted">
            {decisive.address === null ? 'No connection was made' : `Sent to ${decisive.address}`},{' '}
            <Time at={new Date(probe.at)} />
          </p>
          <Message label="Request" parts={decisive.request} />
          <Message label="Response" parts={decisive.response} />
        </>
      )}
      {others.length > 0 && (
        <details>
          <summary>{pluralize(others.length, 'other request')}</summary>
          <ul class="plain">
            {others.map((line) => (
              <li key={line}>
                <code dir="ltr">{line}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {proven === retests[0] && proven.signedBy !== null && <SignedEvidence base={base} findingId={finding.id} />}
    </Card>
  );
}

const Message = ({ label, parts }: { label: string; parts: readonly ExcerptPart[] }): VNode => (
  // A scrolling region must be reachable by keyboard.
  <pre dir="ltr" tabIndex={0} role="region" aria-label={label}>
    {parts.map(({ kind, text }, index) => (
      <span key={index}>
        {index > 0 && '\n'}
        {kind === 'decisive' ? <mark>{text}</mark> : kind === 'omitted' ? <i>{text}</i> : text}
      </span>
    ))}
  </pre>
);

const SignedEvidence = ({ base, findingId }: { base: string; findingId: number }): VNode => (
  <>
    <p>
      <a href={`${base}/evidence.json`} download={`finding-${findingId}-evidence.json`}>
        Download the signed evidence
      </a>{' '}
      ·{' '}
      <a href={`${base}/keys.json`} download="evidence-keys.json">
        Download the public keys
      </a>
    </p>
    <p>
      To verify it, give both files to the operator of this installation, or to anyone who has Assay: its command{' '}
      <code>verify-evidence</code> needs no network.
    </p>
  </>
);
