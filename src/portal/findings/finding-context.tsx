import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { Card } from '../frame/card';
import { SeverityBadge, statusLabel } from '../frame/badges';
import { findingsUrl, findingUrl, importUrl } from '../urls';
import type { FindingView } from './finding-reader';

/** Text between backticks is code. */
const withCode = (text: string): (string | VNode)[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

/** Of a finding without a check. The page of the import has what they send, and the decision. */
export function ProposedChecks({ view: { organizationId, proposals } }: { view: FindingView }): VNode | null {
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

export function HowChecked({ view: { finding } }: { view: FindingView }): VNode | null {
  const { builtInCheck, checkId } = finding;
  if (checkId === null) return null;
  return (
    <details>
      <summary>How this is checked</summary>
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
    </details>
  );
}

export function Similar({ view: { organizationId, finding, similar } }: { view: FindingView }): VNode | null {
  if (finding.checkId === null || similar.length === 0) return null;
  return (
    <details>
      <summary>Similar findings</summary>
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
    </details>
  );
}
