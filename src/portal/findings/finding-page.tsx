import type { VNode } from 'preact';
import {
  FINDING_STATUS,
  type FindingStatus,
  findingStatusVocabulary,
  isOpen,
  nameOfCwe,
  needsAdmin,
  type StatusTransition,
} from '../../modules/findings';
import { historyText } from '../../modules/reports';
import type { RetestSummary } from '../../modules/retests';
import { SEVERITIES } from '../../kernel/severity';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { actorName } from '../frame/actor-name';
import { SeverityBadge, statusLabel, VerdictBadge } from '../frame/badges';
import { Field, Form, Select, TextArea } from '../frame/form';
import { Time } from '../frame/time';
import { asSentence, pluralize } from '../frame/words';
import { findingsUrl, findingUrl, importUrl } from '../urls';
import { DueDate } from './due-date';
import type { FindingView } from './finding-reader';
import { CommentForm, WorkFields } from './finding-forms';
import { Evidence, RetestPanel } from './retest-panel';
import { MergedFindings, MergedInto, MergeForm } from './merged-findings';
import { Sightings } from './sightings';
import { UnsafeCheck } from './unsafe-check';

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
      </p>
      <RetestPanel view={view} />
      <Description view={view} />
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

function Details({ view: { organizationId, finding, beacon, priority } }: { view: FindingView }): VNode {
  const { cwe, checkId, vulnerability } = finding;
  const { epss, kev } = vulnerability;
  return (
    <Card id="details" title="Details">
      <dl class="facts">
        <Fact label="Asset">
          {finding.assetId === null ? (
            finding.assetValue
          ) : (
            <a href={findingsUrl(organizationId, { asset_id: finding.assetId })}>{finding.assetValue}</a>
          )}
        </Fact>
        {beacon !== null && <Fact label="Through the beacon">{beacon.name}</Fact>}
        {finding.location !== null && (
          <Fact label="Location">
            <code dir="ltr">{finding.location}</code>
          </Fact>
        )}
        {checkId !== null && (
          <Fact label="Check">
            <a href={findingsUrl(organizationId, { check: checkId })}>
              <code>{checkId}</code>
            </a>
          </Fact>
        )}
        {finding.score !== null && <Fact label="CVSS score">{finding.score.toFixed(1)}</Fact>}
        {finding.cvssVector !== null && (
          <Fact label="CVSS vector">
            <code>{finding.cvssVector}</code>
          </Fact>
        )}
        {cwe !== null && (
          <Fact label="CWE">
            <a href={`https://cwe.mitre.org/data/definitions/${cwe}.html`} rel="noreferrer">
              CWE-{cwe}
            </a>{' '}
            {nameOfCwe(cwe)}
          </Fact>
        )}
        {finding.cve !== null && <Fact label="CVE">{[finding.cve, ...finding.otherCves].join(', ')}</Fact>}
        {epss !== null && (
          <Fact label="EPSS">
            {(epss.score * 100).toFixed(1)} % probability of exploitation in the next 30 days{' '}
            <span class="muted">
              ({epss.source}, {epss.date})
            </span>
          </Fact>
        )}
        {kev !== null && (
          <Fact label="Known exploited">
            <a href={findingsUrl(organizationId, { kev: true })}>since {kev.dateAdded}</a>
            {kev.ransomware && ', also by ransomware'}
            {kev.dueDate !== null && `, to be fixed by ${kev.dueDate}`}{' '}
            <span class="muted">
              ({kev.source}, released <Time at={kev.released} to="day" />)
            </span>
          </Fact>
        )}
        {finding.references.length > 0 && (
          <Fact label="References">
            <ul class="plain">
              {finding.references.map((url) => (
                <li key={url}>
                  <a href={url} rel="noreferrer">
                    {url}
                  </a>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact label="Priority">
          {finding.priority} of 5, 1 is the most urgent
          <ul class="plain">
            {priority.reasons.map(({ text }) => (
              <li key={text} class="muted">
                {text}
              </li>
            ))}
          </ul>
        </Fact>
        <Fact label="Recorded">
          <Time at={finding.created} />
        </Fact>
        <Fact label="Last seen">
          <Time at={finding.lastSeen} />, {pluralize(finding.timesSeen, 'time')} in all
        </Fact>
      </dl>
    </Card>
  );
}

/** Text between backticks is code. */
const withCode = (text: string): (string | VNode)[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

/** Of a finding without a check. The page of the import has what they send, and the decision. */
function ProposedChecks({ view: { organizationId, proposals } }: { view: FindingView }): VNode | null {
  if (proposals.length === 0) return null;
  return (
    <Card id="proposals" title="Checks in imported files">
      <p class="muted">No check is bound to the finding. These run only after a person has approved them.</p>
      <ul class="plain">
        {proposals.map((one) => (
          <li key={one.id}>
            <bdi>{one.title}</bdi> <code dir="ltr">{one.ruleId}</code>, {one.status}, in{' '}
            <a href={importUrl(organizationId, one.importId)}>import {one.importId}</a>
            {one.refusal !== null && (
              <div class="muted" dir="auto">
                It cannot run: {one.refusal}.
              </div>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function HowChecked({ view: { finding } }: { view: FindingView }): VNode | null {
  const { builtInCheck, checkId } = finding;
  if (checkId === null) return null;
  return (
    <Card id="check" title="How this is checked">
      {builtInCheck === null ? (
        <p>
          A check in YAML, <code>{checkId}</code>, which was recorded with the finding, decides.
        </p>
      ) : (
        <>
          <p>
            <strong>{builtInCheck.title}</strong> (<code>{builtInCheck.id}</code>)
          </p>
          <p>{withCode(builtInCheck.decides)}</p>
        </>
      )}
    </Card>
  );
}

function Similar({ view: { organizationId, finding, similar } }: { view: FindingView }): VNode | null {
  if (finding.checkId === null || similar.length === 0) return null;
  return (
    <Card id="similar" title="Similar findings">
      <ul class="plain">
        {similar.map(({ id, title, assetValue, severity, status }) => (
          <li key={id}>
            <SeverityBadge severity={SEVERITIES[severity]} />{' '}
            <a href={findingUrl(organizationId, id)} dir="auto">
              {title}
            </a>{' '}
            <span class="muted">
              <bdi>{assetValue}</bdi>, {statusLabel(status)}
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={findingsUrl(organizationId, { check: finding.checkId })}>All findings of this check</a>
      </p>
    </Card>
  );
}

const transitionsFrom = (status: FindingStatus): readonly FindingStatus[] =>
  findingStatusVocabulary.find(({ number }) => number === status)?.transitions ?? [];

/** Offers the changes that the caller's role allows. */
function StatusForm({ view }: { view: FindingView }): VNode | null {
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

interface TimelineEntry {
  readonly key: string;
  readonly at: Date;
  readonly text: VNode;
  readonly note: string | null;
  readonly isComment: boolean;
}

function Timeline({ view }: { view: FindingView }): VNode {
  const { finding, retests, people } = view;
  const entries = [
    ...finding.transitions.map((transition, index) => entryOfTransition(transition, index, view)),
    ...retests.map((retest) => entryOfRetest(retest, people)),
  ].toSorted((one, other) => other.at.getTime() - one.at.getTime());
  return (
    <Card id="activity" title="Activity">
      <ol class="timeline">
        {entries.map(({ key, at, text, note, isComment }) => (
          <li key={key}>
            {text}{' '}
            <span class="muted">
              <Time at={at} />
            </span>
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
  { at, from, to, actor, comment, isComment }: StatusTransition,
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
});
