import type { VNode } from 'preact';
import { type BulkAction, type FindingSelection, isSelectionUndoable } from '../../modules/retests';
import { statusLabel } from '../frame/badges';
import { Card } from '../frame/card';
import { Form } from '../frame/form';
import { Time } from '../frame/time';
import { formatted, labelOf, pluralize } from '../frame/words';
import { findingUrl, selectionUrl } from '../urls';

interface SelectionPageProps {
  readonly selection: FindingSelection;
  /** The name of the assignee, by id. */
  readonly people: ReadonlyMap<number, string>;
}

export const isSelectionRunning = ({ status }: Pick<FindingSelection, 'status'>): boolean =>
  status === 'running' || status === 'undoing';

/** The dry run, the progress or the result of a change of all findings of a filter. */
export const SelectionPage = (props: SelectionPageProps): VNode => {
  const { selection, people } = props;
  const { id, organizationId, status, until, findings } = selection;
  const polled = { 'hx-trigger': 'every 2s', 'hx-target': '#live', 'hx-select': '#live', 'hx-swap': 'outerHTML' };
  const isRunning = isSelectionRunning(selection);
  const isInTime = until !== null && until.getTime() > Date.now();
  return (
    <div id="live" {...(isRunning && { 'hx-get': selectionUrl(organizationId, id), ...polled })}>
      <Card id="selection" title={status === 'ready' ? 'Dry run' : labelOf(status)} role="status">
        <p dir="auto">
          {wordsOf(selection.action, people)} ({pluralize(findings, 'finding')} of the filter)
        </p>
        {isRunning ? <Progress {...props} /> : <Outcomes {...props} />}
        {isInTime && <NextStep {...props} />}
        {status === 'ready' && !isInTime && <p>This dry run is older than an hour. Select the findings again.</p>}
      </Card>
    </div>
  );
};

const Progress = ({ selection: { done, findings } }: SelectionPageProps): VNode => (
  <p>
    <progress max={Math.max(1, findings)} value={done} aria-label="Findings that are done" /> {formatted(done)} of{' '}
    {pluralize(findings, 'finding')}
  </p>
);

const Outcomes = ({ selection: { organizationId, outcomes, status } }: SelectionPageProps): VNode => (
  <ul class="plain">
    {outcomes.map(({ result, reason, findings, findingIds }) => (
      <li key={`${result} ${reason}`} dir="auto">
        {pluralize(findings, 'finding')}{' '}
        {status === 'ready' && result === 'changed' ? 'would change' : (result ?? 'not reached')}
        {reason !== null && `: ${reason}`}
        {reason !== null && findingIds.map((id) => [' ', <a href={findingUrl(organizationId, id)}>#{id}</a>])}
        {reason !== null && findings > findingIds.length && status !== 'ready' && ' …'}
      </li>
    ))}
  </ul>
);

/** To run it, or to undo it. */
function NextStep({
  selection: { id, organizationId, action, outcomes, status, until },
}: SelectionPageProps): VNode | null {
  const changes = outcomes.find(({ result }) => result === 'changed')?.findings ?? 0;
  if (until === null || changes === 0) return null;
  const isUndoable = isSelectionUndoable(action);
  return (
    <Form action={`${selectionUrl(organizationId, id)}/${status === 'ready' ? 'run' : 'undo'}`}>
      {status === 'ready' ? (
        <p class="muted">
          {isUndoable ? 'You can undo the change for ten minutes.' : 'A change of statuses cannot be undone.'} Findings
          that change before the run are skipped.
        </p>
      ) : (
        <p class="muted">
          The time to undo it ends <Time at={until} />.
        </p>
      )}
      <button class="primary">{status === 'ready' ? `Change ${pluralize(changes, 'finding')}` : 'Undo'}</button>
    </Form>
  );
}

function wordsOf(action: BulkAction, people: SelectionPageProps['people']): string {
  if (action.kind === 'status') return `Status: ${statusLabel(action.change.status)}`;
  if (action.kind !== 'change') return 'Comment';
  const { assigneeId, dueDate, addLabels, removeLabels } = action.change;
  return [
    assigneeId !== undefined && `Assign to: ${assigneeId === null ? 'No one' : (people.get(assigneeId) ?? assigneeId)}`,
    dueDate !== undefined && `Due date: ${dueDate ?? 'none'}`,
    addLabels && `Add labels: ${addLabels.join(', ')}`,
    removeLabels && `Remove labels: ${removeLabels.join(', ')}`,
  ]
    .filter(Boolean)
    .join('. ');
}
