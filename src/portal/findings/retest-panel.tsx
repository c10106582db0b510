import type { VNode } from 'preact';
import { isTestable } from '../../modules/findings';
import type { ExcerptPart } from '../../modules/reports';
import { RESULTS_BY_HAND, type RetestSummary, type SecondLook } from '../../modules/retests';
import { Card } from '../frame/card';
import { VerdictBadge } from '../frame/badges';
import { Field, Form, Select } from '../frame/form';
import { Person } from '../frame/person';
import { Time } from '../frame/time';
import { Verdict } from '../frame/verdict';
import { Reason, stepInPortal } from '../frame/reason';
import { asSentence, labelOf, pluralize } from '../frame/words';
import { FollowedPart } from '../live/followed-part';
import { findingUrl } from '../urls';
import type { FindingView } from './finding-reader';
import { NextStep } from './finding-status';
import { newestStatement, shownProbe } from './finding-verdict';
import { ConfirmedRefusal, OfferedRefusal } from './refusal';
import { RetestProgressPart } from './retest-progress';
import { isNotAllowed, WhyNotAllowed } from './unsafe-check';

/** Whether a worker runs the last retest, or will. Without a check it waits for a person, and nothing changes by itself. */
export const isUnderWay = ({ retests: [last] }: Pick<FindingView, 'retests'>): boolean =>
  last !== undefined && (last.status === 'in_progress' || (last.status === 'pending' && last.checkId !== null));

/** The newest that is known, and what to do next. */
export function RetestPanel({ view }: { view: FindingView }): VNode {
  const { organizationId, finding, check, retests, position, progress } = view;
  const [last] = retests;
  const base = findingUrl(organizationId, finding.id);
  return (
    <section aria-labelledby="retest-title">
      <h2 id="retest-title" class="visually-hidden">
        Verdict
      </h2>
      <div role="status">{!isUnderWay(view) && <Newest view={view} />}</div>
      {check.refusal !== null && <p dir="auto">Its check cannot run: {check.refusal}</p>}
      {last !== undefined && isUnderWay(view) && (
        <FollowedPart stream={`${base}/progress`} page={`${base}/live`}>
          <RetestProgressPart status={last.status} position={position} progress={progress} />
        </FollowedPart>
      )}
      <RetestActions view={view} last={last} />
    </section>
  );
}

function Newest({ view }: { view: FindingView }): VNode {
  const { verdict, at, reason, retest, confirmedRefusal } = newestStatement(view);
  return (
    <Verdict
      verdict={verdict}
      line={
        <>
          {at !== null && <Time at={at} />}
          {retest !== undefined && retest.judgedBy !== null && (
            <Person id={retest.judgedBy} name={view.people.get(retest.judgedBy)} />
          )}
          {retest !== undefined && retest.requests !== null && <span>{pluralize(retest.requests, 'request')}</span>}
        </>
      }
    >
      {reason !== null && (
        <p dir="auto">
          <Reason text={reason} people={view.people} />
        </p>
      )}
      {confirmedRefusal !== undefined && <ConfirmedRefusal confirmed={confirmedRefusal} people={view.people} />}
      {retest !== undefined && <OfRetest view={view} retest={retest} />}
    </Verdict>
  );
}

const OfRetest = ({ view, retest }: { view: FindingView; retest: RetestSummary }): VNode => (
  <>
    {retest.byRefusal !== null && (
      <p dir="auto">
        <b>Why:</b>{' '}
        {retest.byRefusal === 'setting'
          ? 'The organization lets refusals of the site itself count as fixes.'
          : (view.confirmedRefusal?.reason ?? 'An admin has confirmed that the refusal is the fix.')}
      </p>
    )}
    {retest.nextStep !== null && retest.checkId !== null && (
      <>
        <p>
          <b>Next:</b> {stepInPortal(retest.nextStep)}
        </p>
        {retest.offer === 'refusal' ? (
          <OfferedRefusal organizationId={view.organizationId} findingId={view.finding.id} mayDecide={view.mayDecide} />
        ) : (
          <p>
            <a href={`${findingUrl(view.organizationId, view.finding.id)}/baseline`}>
              Compare the site with its baseline
            </a>
          </p>
        )}
      </>
    )}
    {retest.secondLook !== null && <SecondLookText look={retest.secondLook} />}
    {retest.status === 'pending' && retest.checkId === null && (
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

const VERDICTS = RESULTS_BY_HAND.map((value) => ({ value, label: labelOf(value) }));

function RetestActions({ view, last }: { view: FindingView; last: RetestSummary | undefined }): VNode | null {
  const { organizationId, finding, mayTest, mayDecide } = view;
  const action = `${findingUrl(organizationId, finding.id)}/retest`;
  if (!mayTest) return null;
  const isUnfinished = last?.status === 'pending' || last?.status === 'in_progress';
  if (finding.mergedInto !== null && !isUnfinished) return null;
  if (!isUnfinished && !isTestable(finding.status))
    return (
      <div class="next">
        <NextStep view={view} />
      </div>
    );
  if (!isUnfinished && isNotAllowed(view)) return <WhyNotAllowed view={view} />;
  if (!isUnfinished)
    return (
      <div class="next">
        <Form action={action}>
          <button class="primary">Retest</button>
        </Form>
        <NextStep view={view} />
      </div>
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

/** The request and the response that showed the weakness, or that it is gone. */
export function Evidence({ view }: { view: FindingView }): VNode | null {
  const { organizationId, finding, retests } = view;
  const probe = shownProbe(view);
  if (probe === undefined) return null;
  const { decisive, others, retest, state, detail, at } = probe;
  // The verdict above has said it.
  const isSaid = asSentence(detail) === asSentence(newestStatement(view).reason ?? '');
  return (
    <Card id="evidence" title="Evidence">
      {!isSaid && (
        <p>
          <VerdictBadge verdict={state} /> <span dir="auto">{detail}</span>
        </p>
      )}
      {decisive !== null && (
        <>
          <p class="muted">
            {decisive.address === null ? 'No connection was made' : `Sent to ${decisive.address}`}{' '}
            {retest === undefined && 'by a scan, '}
            <Time at={new Date(at)} />
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
      {retests[0] !== undefined && retests[0].signedBy !== null && (
        <SignedEvidence
          base={findingUrl(organizationId, finding.id)}
          findingId={finding.id}
          isShown={retest === retests[0]}
        />
      )}
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

interface SignedEvidenceProps {
  readonly base: string;
  readonly findingId: number;
  /** Whether it is what the card shows: a scan may have seen the weakness since. */
  readonly isShown: boolean;
}

const SignedEvidence = ({ base, findingId, isShown }: SignedEvidenceProps): VNode => (
  <>
    <p>
      <a href={`${base}/evidence.json`} download={`finding-${findingId}-evidence.json`}>
        Download the signed evidence{!isShown && ' of the last retest'}
      </a>{' '}
      ·{' '}
      <a href={`${base}/keys.json`} download="evidence-keys.json">
        Download the public keys
      </a>
    </p>
    <details>
      <summary>How to verify it</summary>
      <p class="muted">
        Give both files to the operator of this installation, or to anyone who has Assay: its command{' '}
        <code>verify-evidence</code> needs no network.
      </p>
    </details>
  </>
);
