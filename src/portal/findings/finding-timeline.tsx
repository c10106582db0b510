import type { VNode } from 'preact';
import type { StatusTransition } from '../../modules/findings';
import { historyText } from '../../modules/reports';
import type { RetestSummary } from '../../modules/retests';
import { Card } from '../frame/card';
import { actorName } from '../frame/actor-name';
import { resultOf, statusLabel, VerdictBadge } from '../frame/badges';
import { Time } from '../frame/time';
import { Reason } from '../frame/reason';
import { Comment } from './comment';
import { changesText, FieldChanges } from './field-changes';
import type { FindingView } from './finding-reader';

interface TimelineEntry {
  readonly key: string;
  readonly at: Date;
  readonly text: VNode;
  readonly note: string | VNode | null;
  readonly changes?: StatusTransition['changes'];
  readonly comment?: StatusTransition;
}

/** What happened to the finding, the newest first. */
export function Timeline({ view }: { view: FindingView }): VNode {
  const { finding, retests, people } = view;
  const entries = [
    ...finding.transitions.map((transition) => entryOfTransition(transition, view)),
    ...retests.map((retest) => entryOfRetest(retest, people)),
  ].toSorted((one, other) => other.at.getTime() - one.at.getTime());
  return (
    <Card id="activity" title="Activity">
      <ol class="timeline">
        {entries.map(({ key, at, text, note, changes, comment }) => (
          <li key={key} id={key}>
            {text}{' '}
            <a class="muted" href={`#${key}`}>
              <Time at={at} />
            </a>
            {changes && <FieldChanges {...{ changes, people }} />}
            {comment !== undefined && <Comment {...{ view, comment }} />}
            {note !== null && note !== '' && (
              <p class="said" dir="auto">
                {note}
              </p>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function entryOfTransition(transition: StatusTransition, { people, retests }: FindingView): TimelineEntry {
  const { id, at, from, to, actor, comment, isComment, changes, justification } = transition;
  const who = <bdi>{actorName(actor.type, actor.id, people)}</bdi>;
  if (isComment)
    return {
      key: `comment-${id}`,
      at,
      text: (
        <>
          {who} commented{transition.byAgent && ', by an agent'}
        </>
      ),
      note: null,
      comment: transition,
    };
  return {
    key: `change-${id}`,
    at,
    text: (
      <>
        {who}{' '}
        {from === null ? (
          'recorded it'
        ) : changes !== null ? (
          changesText(changes)
        ) : from === to ? (
          'noted'
        ) : (
          <>
            changed {statusLabel(from)} to <strong>{statusLabel(to)}</strong>
            {justification !== null && `: ${justification.replaceAll('_', ' ')}`}
          </>
        )}
      </>
    ),
    changes,
    // A retest that is in the timeline itself has the same reason.
    note:
      comment === null || retests.some(({ uuid }) => comment.startsWith(`Retest ${uuid}`))
        ? null
        : historyText(comment),
  };
}

const entryOfRetest = (retest: RetestSummary, people: FindingView['people']): TimelineEntry => ({
  key: `retest-${retest.uuid}`,
  at: retest.decided ?? retest.finished ?? retest.created,
  text: (
    <>
      Retest: <VerdictBadge verdict={resultOf(retest)} />{' '}
      {retest.judgedBy !== null ? (
        <>
          by <bdi>{people.get(retest.judgedBy) ?? 'a former user'}</bdi>
        </>
      ) : (
        retest.checkId !== null && `by ${retest.checkId}`
      )}
    </>
  ),
  note: retest.reason && <Reason text={retest.reason} people={people} />,
});
