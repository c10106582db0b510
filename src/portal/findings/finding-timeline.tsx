import type { VNode } from 'preact';
import { type StatusTransition } from '../../modules/findings';
import { historyText } from '../../modules/reports';
import type { RetestSummary } from '../../modules/retests';
import { Card } from '../frame/card';
import { actorName } from '../frame/actor-name';
import { statusLabel, VerdictBadge } from '../frame/badges';
import { Time } from '../frame/time';
import { FieldChanges } from '../finding-edits/pinned';
import { asSentence } from '../frame/words';
import type { FindingView } from './finding-reader';

interface TimelineEntry {
  readonly key: string;
  readonly at: Date;
  readonly text: VNode;
  readonly note: string | null;
  readonly isComment: boolean;
  readonly changes: StatusTransition['changes'];
}

/** What happened to the finding, the newest first. */
export function Timeline({ view }: { view: FindingView }): VNode {
  const { finding, retests, people } = view;
  const entries = [
    ...finding.transitions.map((transition, index) => entryOfTransition(transition, index, view)),
    ...retests.map((retest) => entryOfRetest(retest, people)),
  ].toSorted((one, other) => other.at.getTime() - one.at.getTime());
  return (
    <Card id="activity" title="Activity">
      <ol class="timeline">
        {entries.map(({ key, at, text, note, isComment, changes }) => (
          <li key={key}>
            {text}{' '}
            <span class="muted">
              <Time at={at} />
            </span>
            {changes !== null && <FieldChanges changes={changes} />}
            {note !== null && note !== '' && (
              <p class={isComment ? 'comment' : 'said'} dir="auto">
                {note}
              </p>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

const entryOfTransition = (
  { at, from, to, actor, comment, isComment, changes }: StatusTransition,
  index: number,
  { people, retests }: FindingView,
): TimelineEntry => ({
  key: `transition ${index}`,
  at,
  text: (
    <>
      <bdi>{actorName(actor.type, actor.id, people)}</bdi>{' '}
      {from === null ? (
        'recorded it'
      ) : from === to ? (
        isComment ? (
          'commented'
        ) : changes !== null ? (
          'edited it'
        ) : (
          'noted'
        )
      ) : (
        <>
          changed {statusLabel(from)} to <strong>{statusLabel(to)}</strong>
        </>
      )}
    </>
  ),
  isComment,
  changes,
  // A retest that is in the timeline itself has the same reason.
  note:
    comment === null || (!isComment && retests.some(({ uuid }) => comment.startsWith(`Retest ${uuid}`)))
      ? null
      : isComment
        ? comment
        : historyText(comment),
});

const entryOfRetest = (
  { uuid, created, finished, status, result, reason, judgedBy, checkId }: RetestSummary,
  people: FindingView['people'],
): TimelineEntry => ({
  key: uuid,
  at: finished ?? created,
  text: (
    <>
      Retest: <VerdictBadge verdict={result ?? status} />{' '}
      {judgedBy !== null ? (
        <>
          by <bdi>{people.get(judgedBy) ?? 'a former user'}</bdi>
        </>
      ) : (
        checkId !== null && `by ${checkId}`
      )}
    </>
  ),
  note: reason && asSentence(reason),
  isComment: false,
  changes: null,
});
