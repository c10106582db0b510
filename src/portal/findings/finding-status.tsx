import type { VNode } from 'preact';
import {
  FINDING_STATUS,
  type FindingStatus,
  findingStatusVocabulary,
  isDismissed,
  isOpen,
  needsAdmin,
  VEX_JUSTIFICATIONS,
} from '../../modules/findings';
import { statusLabel } from '../frame/badges';
import { Field, Form, Select, TextArea, useRefusal } from '../frame/form';
import { Entries, Menu } from '../frame/menu';
import { Time } from '../frame/time';
import { findingUrl } from '../urls';
import type { FindingView } from './finding-reader';

const { open, accepted, in_progress, ready_for_retest, resolved, risk_accepted, false_positive } = FINDING_STATUS;

/** What a person does to reach a status. Other dismissals have the name of their status. */
const STEPS = new Map<FindingStatus, string>([
  [open, 'Open again'],
  [accepted, 'Mark as triaged'],
  [in_progress, 'Start work'],
  [ready_for_retest, 'Ready for retest'],
  [resolved, 'Resolve'],
  [risk_accepted, 'Accept the risk'],
]);

/** The step that usually comes next, if no retest does. Of dismissed findings it is opening them again. */
const NEXT = new Map<FindingStatus, FindingStatus>([
  [open, in_progress],
  [accepted, in_progress],
  [in_progress, ready_for_retest],
  [ready_for_retest, resolved],
]);

/** The changes that the caller's role allows. */
function offeredSteps({ finding, mayTest, mayDecide }: FindingView): readonly FindingStatus[] {
  const { status, mergedInto } = finding;
  if (mergedInto !== null) return [];
  const transitions = findingStatusVocabulary.find(({ number }) => number === status)?.transitions ?? [];
  return transitions.filter((to) => (needsAdmin(status, to) ? mayDecide : mayTest));
}

const actionOf = ({ organizationId, finding }: FindingView): string =>
  `${findingUrl(organizationId, finding.id)}/status`;

const Step = ({ to }: { to: FindingStatus }): VNode => (
  <button name="status" value={to}>
    {STEPS.get(to) ?? statusLabel(to)}
  </button>
);

const JUSTIFICATIONS = [
  { value: '', label: 'None' },
  ...VEX_JUSTIFICATIONS.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
];

const Justification = ({ id }: { id: string }): VNode => (
  <Select
    id={id}
    name="justification"
    label="VEX justification"
    hint="Why the CVE does not affect the product. VEX documents then state it as not affected."
    options={JUSTIFICATIONS}
  />
);

/** The likely next step, without a question. */
export function NextStep({ view }: { view: FindingView }): VNode | null {
  const { status } = view.finding;
  const to = view.retests[0]?.result === 'fixed' && isOpen(status) ? resolved : (NEXT.get(status) ?? open);
  if (!offeredSteps(view).includes(to)) return null;
  return (
    <Form action={actionOf(view)}>
      <Step to={to} />
    </Form>
  );
}

const Status = ({ view: { finding } }: { view: FindingView }): VNode => (
  <>
    {statusLabel(finding.status)}
    {finding.status === risk_accepted && finding.acceptedUntil !== null && (
      <span>
        {' '}
        until <Time at={finding.acceptedUntil} to="day" />
      </span>
    )}
  </>
);

/** All steps: at once, with the end of an accepted risk, or with a reason. */
export function StatusProperty({ view }: { view: FindingView }): VNode {
  const action = actionOf(view);
  const refusal = useRefusal(action);
  const offered = offeredSteps(view);
  if (offered.length === 0) return <Status view={view} />;
  const dismissals = offered.filter((to) => isDismissed(to) && to !== risk_accepted);
  const wasRefused = (to: readonly FindingStatus[]): boolean =>
    to.some((status) => refusal?.fields['status'] === String(status));
  return (
    <Menu class="quiet" label={<Status view={view} />} name="Status" isOpen={refusal !== undefined}>
      <Form action={action}>
        <Entries>
          {offered
            .filter((to) => !isDismissed(to))
            .map((to) => (
              <li key={to}>
                <Step to={to} />
              </li>
            ))}
        </Entries>
      </Form>
      {offered.includes(risk_accepted) && (
        <details id="accept-risk" open={wasRefused([risk_accepted])}>
          <summary>Accept the risk</summary>
          <Form action={action}>
            <TextArea id="acceptance" name="comment" label="Why" maxLength={2000} required />
            <Field
              name="until"
              label="Last day"
              hint="Without a day it does not end."
              input={{ type: 'date', required: false }}
            />
            <Justification id="acceptance-justification" />
            <Step to={risk_accepted} />
          </Form>
        </details>
      )}
      {dismissals.length > 0 && (
        <details open={wasRefused(dismissals)}>
          <summary>Dismiss</summary>
          <Form action={action}>
            <TextArea id="dismissal" name="comment" label="Why" maxLength={2000} />
            {dismissals.includes(false_positive) && <Justification id="dismissal-justification" />}
            <div class="actions">
              {dismissals.map((to) => (
                <Step key={to} to={to} />
              ))}
            </div>
          </Form>
        </details>
      )}
    </Menu>
  );
}
