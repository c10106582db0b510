import type { VNode } from 'preact';
import { labelOf } from '../frame/words';
import { findingsUrl, type FindingsParameters } from '../urls';
import type { FindingsPageProps } from './findings-page-props';

/** The filters that are set, each a link that removes it. */
export function Chips({ organizationId, query, slice, people }: FindingsPageProps): VNode {
  const {
    severity,
    asset_id,
    assignee,
    label,
    check,
    verification,
    overdue,
    due_before,
    cwe,
    kev,
    epss_min,
    merged_into,
    q,
  } = query.parameters;
  const assetValue = slice.items[0]?.assetValue ?? `asset ${asset_id}`;
  const chip = (text: string, without: FindingsParameters): VNode => (
    <a key={text} class="chip" href={findingsUrl(organizationId, { ...query.parameters, ...without })} dir="auto">
      {text} <span aria-hidden="true">×</span>
      <span class="visually-hidden">, remove this filter</span>
    </a>
  );
  return (
    <p class="chips">
      {severity !== undefined && chip(`Severity: ${labelOf(severity)} and above`, { severity: undefined })}
      {asset_id !== undefined && chip(`Asset: ${assetValue}`, { asset_id: undefined })}
      {assignee !== undefined && chip(`Assigned: ${assigneeText(assignee, people)}`, { assignee: undefined })}
      {label !== undefined && chip(`Label: ${label}`, { label: undefined })}
      {check !== undefined && chip(`Check: ${check}`, { check: undefined })}
      {verification !== undefined && chip(`Test: ${labelOf(verification)}`, { verification: undefined })}
      {query.import !== undefined && chip(`Import ${query.import}`, { import: undefined })}
      {overdue === true && chip('Overdue', { overdue: undefined })}
      {due_before !== undefined && chip(`Due before ${due_before}`, { due_before: undefined })}
      {cwe !== undefined && chip(`CWE-${cwe}`, { cwe: undefined })}
      {kev === true && chip('Known exploited', { kev: undefined })}
      {epss_min !== undefined && chip(`EPSS: ${epss_min} and above`, { epss_min: undefined })}
      {merged_into !== undefined && chip(`Merged into #${merged_into}`, { merged_into: undefined })}
      {q !== undefined && chip(`Search: ${q}`, { q: undefined })}
    </p>
  );
}

function assigneeText(assignee: string, people: ReadonlyMap<number, string>): string {
  if (assignee === 'me') return 'me';
  return assignee === 'none' ? 'no one' : (people.get(Number(assignee)) ?? `user ${assignee}`);
}
