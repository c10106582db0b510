import type { VNode } from 'preact';
import { groupBy } from '../../kernel/group-by';
import type { Slice } from '../../kernel/page';
import { SEVERITIES } from '../../kernel/severity';
import type { ProposalDecision, ProposalsService, ShownProposal } from '../../modules/imports';
import { Card } from '../frame/card';
import { SeverityBadge } from '../frame/badges';
import { Form } from '../frame/form';
import { pluralize } from '../frame/words';
import { importUrl } from '../urls';
import type { ImportView } from './import-reader';

/** The checks that the file carries. Nothing of them runs before a person has approved it. */
export function ProposedChecks({ view }: { view: ImportView }): VNode | null {
  const { proposed, impossible, approved } = view;
  if (proposed.items.length + impossible.items.length + approved.items.length === 0) return null;
  return (
    <Card id="proposals" title="Checks in the file" class="proposals">
      <p class="muted">
        The file carries these checks for findings that have none. They run only after a person has read and approved
        them.
      </p>
      {proposed.items.length > 0 && <Possible view={view} proposals={proposed.items} />}
      <Others slice={proposed} />
      {approved.items.length > 0 && (
        <details>
          <summary>{pluralize(approved.total ?? approved.items.length, 'approved check')}</summary>
          <ul class="plain">
            {approved.items.map((one) => (
              <li key={one.id}>
                <Name proposal={one} />
                <div class="muted">{boundText(one)}</div>
              </li>
            ))}
          </ul>
          <Others slice={approved} />
        </details>
      )}
      {impossible.items.length > 0 && (
        <details>
          <summary>{pluralize(impossible.total ?? impossible.items.length, 'check')} that cannot run</summary>
          <ul class="plain">
            {impossible.items.map((one) => (
              <li key={one.id}>
                <Name proposal={one} />
                <div class="muted" dir="auto">
                  {one.refusal}
                </div>
                <Source proposal={one} />
              </li>
            ))}
          </ul>
          <Others slice={impossible} />
        </details>
      )}
    </Card>
  );
}

/** How many the page does not show. */
function Others({ slice: { items, total } }: { slice: Slice<ShownProposal> }): VNode | null {
  const others = (total ?? 0) - items.length;
  if (others <= 0) return null;
  return <p class="muted">Not shown here: {pluralize(others, 'other check')}. The API lists all of them.</p>;
}

function Possible({ view, proposals }: { view: ImportView; proposals: readonly ShownProposal[] }): VNode {
  const { organizationId, one, mayImport, mayDecide } = view;
  const mayDecideOf = ({ kind }: ShownProposal): boolean => mayDecide || (mayImport && kind === 'template');
  const list = (
    <ul class="plain">
      {proposals.map((proposal) => (
        <li key={proposal.id}>
          {mayDecideOf(proposal) ? (
            <label class="flag">
              <input type="checkbox" name="proposal" value={proposal.id} /> <Name proposal={proposal} />
            </label>
          ) : (
            <Name proposal={proposal} />
          )}
          {proposal.kind === 'replay' && !mayDecide && (
            <p class="muted">An admin decides about requests of the file.</p>
          )}
          {proposal.notBoundReason !== null && <p>{proposal.notBoundReason}</p>}
          <Source proposal={proposal} />
        </li>
      ))}
    </ul>
  );
  if (!proposals.some(mayDecideOf)) return list;
  return (
    <Form action={`${importUrl(organizationId, one.id)}/proposals`}>
      {list}
      <p class="actions">
        <button class="primary" name="decision" value="approve">
          Approve the selected
        </button>{' '}
        <button name="decision" value="decline">
          Decline the selected
        </button>
      </p>
    </Form>
  );
}

const KINDS: Readonly<Record<ShownProposal['kind'], string>> = { template: 'template', replay: 'requests of' };

const Name = ({
  proposal: { kind, scanner, ruleId, title, severity, findings },
}: {
  proposal: ShownProposal;
}): VNode => (
  <span>
    <SeverityBadge severity={SEVERITIES[severity] ?? 'none'} /> <bdi>{title}</bdi>{' '}
    <span class="muted">
      {KINDS[kind]} {scanner} <code dir="ltr">{ruleId}</code>, {pluralize(findings, 'finding')}
    </span>
  </span>
);

/** What it sends, and all of it. */
function Source({ proposal }: { proposal: ShownProposal }): VNode {
  const { kind, definition, requests, requestCount, unsafeMethods, location } = proposal;
  const methods = [...groupBy(requests, ({ method }) => method)].map(([method, sent]) => `${sent.length} ${method}`);
  return (
    <>
      {unsafeMethods.length > 0 && (
        <p>
          It sends {unsafeMethods.join(', ')}, which may change state on the target. After the approval an admin must
          allow that for each finding.
        </p>
      )}
      <details>
        <summary>
          {kind === 'replay' ? nameOfReplays(requestCount) : 'Source'}
          {kind !== 'replay' && methods.length > 0 && `: ${methods.join(', ')}`}
        </summary>
        {location !== null && (
          <p>
            Seen at <code dir="ltr">{location}</code>
          </p>
        )}
        {requests.length > 0 && (
          <ul class="plain">
            {requests.map(({ method, target }) => (
              <li key={`${method} ${target}`}>
                <code dir="ltr">
                  {method} {target === '' ? '/' : target}
                </code>
              </li>
            ))}
          </ul>
        )}
        {requestCount > requests.length && (
          <p class="muted">Not shown here: {pluralize(requestCount - requests.length, 'other request')}.</p>
        )}
        {kind === 'replay' && requestCount > 0 && <p>The check of one of them, as an example:</p>}
        <pre dir="ltr">
          <code>{definition}</code>
        </pre>
      </details>
    </>
  );
}

/** Those that cannot be approved are not counted. */
const nameOfReplays = (count: number): string => (count === 0 ? 'Example' : pluralize(count, 'different request'));

function boundText({ bound, notBound, notBoundReason }: ShownProposal): string {
  const done = `It is the check of ${pluralize(bound, 'finding')} now`;
  return notBound === 0 ? `${done}.` : `${done}, and not of ${pluralize(notBound, 'other')}: ${notBoundReason ?? ''}.`;
}

const DECIDED: Readonly<Record<ProposalDecision, string>> = {
  approve: 'approved. Its findings are bound to it and tested shortly.',
  decline: 'declined.',
};

/** How many were decided, and why others were not. */
export function noticeOfDecisions(
  decision: ProposalDecision,
  results: Awaited<ReturnType<ProposalsService['decide']>>,
): string {
  const refused = results.flatMap(({ error }) => error ?? []);
  const reasons = [...new Set(refused.map(({ message }) => message))];
  const decided = results.length - refused.length;
  return [
    ...(decided > 0 ? [`${pluralize(decided, 'check')} ${DECIDED[decision]}`] : []),
    ...(refused.length > 0 ? [`${refused.length} refused. ${reasons.join(' ')}`] : []),
  ].join(' ');
}
