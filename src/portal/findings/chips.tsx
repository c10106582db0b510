import type { VNode } from 'preact';
import { dayOf } from '../../kernel/day';
import { statusLabel } from '../frame/badges';
import { ownerName } from '../frame/owner-select';
import { labelOf, pluralize } from '../frame/words';
import { type FindingsParameters, findingsUrl } from '../urls';
import type { FindingsPageProps } from './findings-page-props';
import { TAB_STATUSES } from './findings.requests';

export const CHANGE_NAMES = { found: 'Found', fixed: 'Fixed', regressed: 'Found again after a fix' } as const;
export const RETEST_NAMES = {
  verdict: 'Retest waits for a verdict',
  undecided: 'Retest without a result',
  running: 'Retest under way',
} as const;

export const TICKET_NAMES = { none: 'Without a ticket', any: 'With a ticket' } as const;

/** The filters that are set, each a link that removes it. */
export function Chips({ organizationId, query, slice, people, owners, beacons }: FindingsPageProps): VNode {
  const { parameters: given, status } = query;
  const [first] = slice.items;
  const through = beacons.get(first?.beaconId ?? 0);
  const asset =
    first === undefined ? `asset ${given.asset_id}` : first.assetValue + (through ? `, through ${through.name}` : '');
  const since = given.since && ` since ${dayOf(given.since)}`;
  const until = given.until && ` until ${dayOf(given.until)}`;
  const chips: readonly [text: string | false | undefined, ...names: (keyof FindingsParameters)[]][] = [
    [status !== undefined && !TAB_STATUSES.includes(status) && `Status: ${statusLabel(status)}`, 'status'],
    [given.severity && `Severity: ${labelOf(given.severity)} and above`, 'severity'],
    [given.max_severity && `Severity: ${labelOf(given.max_severity)} and below`, 'max_severity'],
    [given.asset_id !== undefined && `Asset: ${asset}`, 'asset_id'],
    [given.asset_label && `Label of the asset: ${given.asset_label}`, 'asset_label'],
    [given.owner && `Owner: ${ownerName(owners, given.owner)}`, 'owner'],
    [given.assignee && `Assigned: ${assigneeText(given.assignee, people)}`, 'assignee'],
    [given.label && `Label: ${given.label}`, 'label'],
    [given.check && `Check: ${given.check}`, 'check'],
    [given.title && `Title: ${given.title}`, 'title'],
    [given.verification && `Test: ${labelOf(given.verification)}`, 'verification'],
    [given.retest && RETEST_NAMES[given.retest], 'retest'],
    [given.ticket && TICKET_NAMES[given.ticket], 'ticket'],
    [given.import !== undefined && `Import ${given.import}`, 'import'],
    [given.overdue === true && 'Overdue', 'overdue'],
    [given.due_before && `Due before ${given.due_before}`, 'due_before'],
    [given.due_in !== undefined && `Due within ${pluralize(given.due_in, 'day')}`, 'due_in'],
    [given.ends_in !== undefined && `Acceptance ends within ${pluralize(given.ends_in, 'day')}`, 'ends_in'],
    [
      (given.change !== undefined || since !== undefined) &&
        CHANGE_NAMES[given.change ?? 'found'] + (since ?? ' in the last 7 days') + (until ?? ''),
      'change',
      'since',
      'until',
    ],
    [given.cwe !== undefined && `CWE-${given.cwe}`, 'cwe'],
    [given.kev === true && 'Known exploited', 'kev'],
    [given.epss_min !== undefined && `EPSS: ${given.epss_min} and above`, 'epss_min'],
    [given.merged_into !== undefined && `Merged into #${given.merged_into}`, 'merged_into'],
    [given.q && `Search: ${given.q}`, 'q'],
  ];
  return (
    <p class="chips">
      {chips.map(([text, ...names]) => {
        if (typeof text !== 'string') return null;
        return (
          <a key={text} class="chip" href={findingsUrl(organizationId, without(given, names))} dir="auto">
            {text} <span aria-hidden="true">×</span>
            <span class="visually-hidden">, remove this filter</span>
          </a>
        );
      })}
    </p>
  );
}

/** A list without any parameter would be the one with the filters of the beginning. */
function without(given: FindingsParameters, names: readonly (keyof FindingsParameters)[]): FindingsParameters {
  const left = Object.fromEntries(Object.entries(given).filter(([name]) => !names.some((one) => one === name)));
  return Object.keys(left).length === 0 ? { open: false } : left;
}

function assigneeText(assignee: string, people: ReadonlyMap<number, string>): string {
  if (assignee === 'me') return 'me';
  return assignee === 'none' ? 'no one' : (people.get(Number(assignee)) ?? `user ${assignee}`);
}
