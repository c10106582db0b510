import type { VNode } from 'preact';
import { beliefOf, isOpen } from '../../modules/findings';
import { BeliefBadge, SeverityBadge, statusLabel } from '../frame/badges';
import { Pinned, WrittenTexts } from './pinned';
import { Icon } from '../frame/icon';
import { Markdown } from '../frame/markdown';
import { Menu } from '../frame/menu';
import { useView } from '../frame/view';
import { assetUrl, editFindingUrl, findingUrl } from '../urls';
import { Attachments } from './attachments';
import { DueDate } from './due-date';
import { Experiment } from './experiment';
import { HowChecked, ProposedChecks, Similar } from './finding-context';
import { CommentForm } from './finding-forms';
import { Assignee } from './finding-editors';
import { Properties } from './finding-properties';
import type { FindingView } from './finding-reader';
import { Timeline } from './finding-timeline';
import { placeOf } from './finding-verdict';
import { MergedFindings, MergedInto, MergeForm } from './merged-findings';
import { Evidence, RetestPanel } from './retest-panel';
import { Sightings } from './sightings';
import { TicketCard, type TicketOfFinding } from './ticket';
import { UnsafeCheck } from './unsafe-check';

interface ViewProps {
  readonly view: FindingView;
}

/** Outside of the part that is replaced while a retest runs is what people type. */
export const FindingPage = ({
  view,
  attachments,
  tickets,
}: Parameters<typeof Attachments>[0] & { readonly tickets: TicketOfFinding }): VNode => (
  <div class="finding">
    <LiveFinding view={view} />
    <div class="further">
      <TicketCard {...{ view, tickets }} />
      <Attachments {...{ view, attachments }} />
      {view.finding.mergedInto === null && <CommentForm view={view} />}
      <MergedFindings view={view} />
      <Sightings view={view} />
      <ProposedChecks view={view} />
      <HowChecked view={view} />
      <Similar view={view} />
    </div>
  </div>
);

/** What is done rarely, beside the title. */
export function FindingActions({ view }: ViewProps): VNode | null {
  const { organizationId, finding, mayTest, mayDecide } = view;
  const base = findingUrl(organizationId, finding.id);
  const refused = useView().refusedForm?.action;
  if (!mayTest || finding.mergedInto !== null) return null;
  return (
    <div>
      <a class="button" href={editFindingUrl(organizationId, finding.id)}>
        Edit
      </a>
      <Menu
        class="more"
        label={<Icon name="more" />}
        name="More"
        isOpen={refused === `${base}/merge` || refused === `${base}/unsafe`}
      >
        <MergeForm view={view} />
        <UnsafeCheck view={view} />
        {mayDecide && finding.checkId !== null && finding.assetId !== null && (
          <p>
            <a href={`${assetUrl(organizationId, finding.assetId)}#accepted-title`}>Accept the check on its asset</a>
          </p>
        )}
      </Menu>
    </div>
  );
}

/** Everything that changes with the end of a retest. */
export const LiveFinding = ({ view }: ViewProps): VNode => (
  <div id="live">
    <div class="truth">
      <Head view={view} />
      <MergedInto view={view} />
      <Pinned {...view} />
      <RetestPanel view={view} />
      <Description view={view} />
      <WrittenTexts {...view} />
      <Experiment experiment={view.experiment} />
      <Evidence view={view} />
      <Timeline view={view} />
    </div>
    <Properties view={view} />
  </div>
);

/** Where it is, how bad, and who has it until when. */
const Head = ({ view }: ViewProps): VNode => {
  const { finding } = view;
  return (
    <div>
      <p class="place">
        <code dir="ltr">{placeOf(view)}</code>
      </p>
      <p class="facts-line">
        <SeverityBadge severity={finding.severity} />
        <BeliefBadge belief={beliefOf(finding)} />
        {finding.score !== null && <span>CVSS {finding.score.toFixed(1)}</span>}
        <strong>{statusLabel(finding.status)}</strong>
        {finding.assigneeId !== null && <Assignee view={view} />}
        {finding.dueDate !== null && isOpen(finding.status) && (
          <span>
            Due: <DueDate finding={finding} />
          </span>
        )}
        <span class="muted">#{finding.id}</span>
      </p>
    </div>
  );
};

/** Of a scan, without where and how it was seen: the evidence has it. What a person has edited stays whole. */
const SEEN_AT = /<p>Seen at<\/p>[^]*$/;

function Description({ view: { finding, scanEvidence } }: ViewProps): VNode | null {
  if (finding.html === null) return null;
  const isOfScan = scanEvidence !== null && finding.edits?.pins.md !== true;
  const html = isOfScan ? finding.html.replace(SEEN_AT, '') : finding.html;
  return <Markdown html={html} />;
}
