import type { VNode } from 'preact';
import { FINDING_STATUS, type FindingStatus, findingStatusVocabulary, needsAdmin } from '../../modules/findings';
import { statusLabel } from '../frame/badges';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { Field, Form, Select, TextArea } from '../frame/form';
import { Labels, LabelsField } from '../frame/labels';
import { findingsUrl, findingUrl } from '../urls';
import { COMMENT_HINT } from './comment';
import { DueDate } from './due-date';
import type { FindingView } from './finding-reader';
import { versionOf } from './finding-versions';

/** Who fixes it until when, and its labels: as forms for those who may change them. */
export function WorkFields({ view }: { view: FindingView }): VNode {
  return (
    <Card id="work" title="Assignment">
      <div class="stack">{view.mayTest ? <Forms view={view} /> : <Texts view={view} />}</div>
    </Card>
  );
}

function Forms({ view }: { view: FindingView }): VNode {
  const { organizationId, finding } = view;
  const { assigneeId, dueDate, labels } = finding;
  const base = findingUrl(organizationId, finding.id);
  return (
    <>
      <Form action={`${base}/assignee`} class="inline-form">
        <Version of={assigneeId} />
        <Select name="assignee_id" label="Assigned to" options={assigneeOptions(view)} value={assigneeId} />
        <button>Assign</button>
      </Form>
      <Form action={`${base}/due-date`} class="inline-form">
        <Version of={dueDate} />
        <Field
          name="due_date"
          label="Due date"
          input={{ type: 'date', value: dueDate ?? '', min: '2000-01-01', max: '9999-12-31', required: false }}
        />
        <button>Set</button>
      </Form>
      <div>
        <LabelLinks {...{ organizationId, labels }} />
        <Form action={`${base}/labels`} class="inline-form">
          <Version of={labels} />
          <LabelsField labels={labels} />
          <button>Save</button>
        </Form>
      </div>
    </>
  );
}

const Version = ({ of }: { of: Parameters<typeof versionOf>[0] }): VNode => (
  <input type="hidden" name="version" value={versionOf(of)} />
);

function assigneeOptions({ finding: { assigneeId }, assignable, people }: FindingView) {
  const former =
    assigneeId === null || assignable.has(assigneeId)
      ? []
      : [{ value: assigneeId, label: people.get(assigneeId) ?? `User ${assigneeId}` }];
  return [{ value: '', label: 'No one' }, ...former, ...peopleOptions(assignable)];
}

export const peopleOptions = (people: ReadonlyMap<number, string>) =>
  [...people].map(([value, label]) => ({ value, label }));

const Texts = ({ view: { organizationId, finding, people } }: { view: FindingView }): VNode => (
  <dl class="facts">
    <Fact label="Assigned to">
      {finding.assigneeId === null ? 'No one' : (people.get(finding.assigneeId) ?? `User ${finding.assigneeId}`)}
    </Fact>
    <Fact label="Due date">
      <DueDate finding={finding} />
    </Fact>
    <Fact label="Labels">
      {finding.labels.length === 0 ? 'None' : <LabelLinks {...{ organizationId, labels: finding.labels }} />}
    </Fact>
  </dl>
);

const LabelLinks = ({ organizationId, labels }: { organizationId: number; labels: readonly string[] }): VNode => (
  <Labels labels={labels} hrefOf={(label) => findingsUrl(organizationId, { label })} />
);

/** Outside of the part that is replaced while a retest runs, so that no text is lost. */
export function CommentForm({ view: { organizationId, finding, mayTest } }: { view: FindingView }): VNode | null {
  if (!mayTest) return null;
  return (
    <Card id="new-comment" title="Write a comment">
      <Form action={`${findingUrl(organizationId, finding.id)}/comments`}>
        <TextArea
          id="new-comment"
          name="comment"
          label="Comment"
          isLabelHidden
          hint={COMMENT_HINT}
          maxLength={2000}
          required
        />
        <button>Comment</button>
      </Form>
    </Card>
  );
}

const transitionsFrom = (status: FindingStatus): readonly FindingStatus[] =>
  findingStatusVocabulary.find(({ number }) => number === status)?.transitions ?? [];

/** Offers the changes that the caller's role allows. */
export function StatusForm({ view }: { view: FindingView }): VNode | null {
  const { organizationId, finding, mayTest, mayDecide } = view;
  const offered = transitionsFrom(finding.status).filter((to) =>
    needsAdmin(finding.status, to) ? mayDecide : mayTest,
  );
  if (offered.length === 0) return null;
  return (
    <Card id="status" title="Change the status">
      <Form action={`${findingUrl(organizationId, finding.id)}/status`}>
        <Select
          name="status"
          label="Status"
          options={offered.map((status) => ({ value: status, label: statusLabel(status) }))}
        />
        {offered.includes(FINDING_STATUS.risk_accepted) && (
          <Field
            name="until"
            label="Last day of the acceptance"
            hint="Only for Risk accepted. Without a day it does not end."
            input={{ type: 'date', required: false }}
          />
        )}
        <TextArea name="comment" label="Comment" maxLength={2000} />
        <button>Change the status</button>
      </Form>
    </Card>
  );
}
