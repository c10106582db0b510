import type { VNode } from 'preact';
import { FINDING_STATUS, isOpen } from '../../modules/findings';
import { Card } from '../frame/card';
import { SeverityBadge, statusLabel } from '../frame/badges';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { editFindingUrl } from '../urls';
import { DueDate } from './due-date';
import type { FindingView } from './finding-reader';
import { CommentForm, StatusForm, WorkFields } from './finding-forms';
import { Evidence, RetestPanel } from './retest-panel';
import { MergedFindings, MergedInto, MergeForm } from './merged-findings';
import { Sightings } from './sightings';
import { Pinned, WrittenTexts } from '../finding-edits/pinned';
import { UnsafeCheck } from './unsafe-check';
import { HowChecked, ProposedChecks, Similar } from './finding-context';
import { Details } from './finding-details';
import { Timeline } from './finding-timeline';

export const FindingPage = ({ view }: { view: FindingView }): VNode => (
  <div class="columns">
    <div>
      <MergedInto view={view} />
      <LiveFinding view={view} />
      {view.finding.mergedInto === null && <CommentForm view={view} />}
      <MergedFindings view={view} />
      <Sightings view={view} />
      <ProposedChecks view={view} />
      <HowChecked view={view} />
      <Similar view={view} />
    </div>
    <aside>
      {view.finding.mergedInto === null && (
        <>
          <WorkFields view={view} />
          <StatusForm view={view} />
          <UnsafeCheck view={view} />
        </>
      )}
      <Details view={view} />
      <MergeForm view={view} />
    </aside>
  </div>
);

/** Everything that changes with the end of a retest. */
export function LiveFinding({ view }: { view: FindingView }): VNode {
  const { finding, people } = view;
  return (
    <div id="live" class="stack">
      <p class="facts-line">
        <span class="muted">#{finding.id}</span> <SeverityBadge severity={finding.severity} />{' '}
        <strong>{statusLabel(finding.status)}</strong>{' '}
        {finding.status === FINDING_STATUS.risk_accepted && finding.acceptedUntil !== null && (
          <span>
            until <Time at={finding.acceptedUntil} />
          </span>
        )}
        {finding.assigneeId !== null && (
          <span>
            assigned to <bdi>{people.get(finding.assigneeId) ?? `user ${finding.assigneeId}`}</bdi>
          </span>
        )}
        {finding.dueDate !== null && isOpen(finding.status) && (
          <span>
            Due: <DueDate finding={finding} />
          </span>
        )}
      </p>
      <p class="facts-line muted">
        <bdi>{finding.location ?? finding.assetValue}</bdi>
        <span>
          recorded <Time at={finding.created} to="day" />
        </span>
        <span>seen {pluralize(finding.timesSeen, 'time')}</span>
        {view.mayTest && finding.mergedInto === null && (
          <a href={editFindingUrl(view.organizationId, finding.id)}>Edit</a>
        )}
      </p>
      <Pinned {...view} />
      <RetestPanel view={view} />
      <Description view={view} />
      <WrittenTexts {...view} />
      <Evidence view={view} />
      <Timeline view={view} />
    </div>
  );
}

const Description = ({ view: { finding } }: { view: FindingView }): VNode => (
  <Card id="description" title="Description">
    {finding.html === null ? (
      <p class="muted">It has no description.</p>
    ) : (
      // The service has sanitized it when it was recorded.
      <div class="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: finding.html }} />
    )}
  </Card>
);
