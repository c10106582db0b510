import type { ComponentChildren, VNode } from 'preact';
import { SEVERITIES, severityNumber } from '../../kernel/severity';
import { MAX_COUNT } from '../../kernel/page';
import type { FindingOverview } from '../../modules/findings';
import { SeverityBadge } from '../frame/badges';
import { countText, formatted, pluralize } from '../frame/words';
import { type FindingsParameters, findingsUrl } from '../urls';

export const OVERDUE = { overdue: true, sort: 'due_date' } as const;
export const fixedSince = (since: Date) => ({ change: 'fixed', since }) as const;
/** When the month of a time began. */
export const monthOf = (time: Date): Date => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));

/** How long lists are that change faster than an overview. */
export interface FigureCounts {
  readonly overdue: number;
  readonly fixed: number;
  /** Since when those were fixed. */
  readonly month: Date;
}

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const DAY_SECONDS = 86_400;

/** 3 days; hours where it is less than two days. */
function duration(seconds: number): string {
  if (seconds < 3_600) return pluralize(Math.round(seconds / 60), 'minute');
  if (seconds < 2 * DAY_SECONDS) return pluralize(Math.round(seconds / 3_600), 'hour');
  return pluralize(Math.round(seconds / DAY_SECONDS), 'day');
}

interface FigureProps {
  readonly name: string;
  readonly href?: string;
  readonly value: ComponentChildren;
  readonly note?: string;
}

const Figure = ({ name, href, value, note }: FigureProps): VNode => (
  <div>
    <dt>{name}</dt>
    <dd>{href === undefined ? value : <a href={href}>{value}</a>}</dd>
    {note !== undefined && <dd class="muted">{note}</dd>}
  </div>
);

interface FiguresProps {
  readonly organizationId: number;
  readonly overview: FindingOverview;
  readonly counts: FigureCounts;
}

/** The numbers above the charts, each with its list. */
export function Figures({ organizationId, overview: { open, fixes }, counts }: FiguresProps): VNode {
  const { count, verified, due, kept, medians } = fixes;
  const { overdue, fixed, month } = counts;
  const owed = due + overdue;
  const openOf = (isMeant: (severity: number) => boolean): string =>
    formatted(open.filter(({ severity }) => isMeant(severity)).reduce((sum, { ages }) => sum + sumOf(ages), 0));
  const [high, critical] = [severityNumber('high'), severityNumber('critical')];
  const figure = (name: string, value: string, parameters: FindingsParameters): VNode => (
    <Figure name={name} href={findingsUrl(organizationId, parameters)} value={value} />
  );
  return (
    <dl class="figures">
      {figure(
        'Open critical',
        openOf((one) => one >= critical),
        { severity: 'critical', open: true, sort: 'priority' },
      )}
      {figure(
        'Open high',
        openOf((one) => one === high),
        {
          severity: 'high',
          open: true,
          max_severity: 'high',
          sort: 'priority',
        },
      )}
      {figure('Overdue', countText(overdue), OVERDUE)}
      {figure('Fixed this month', countText(fixed), fixedSince(month))}
      <Figure
        name="SLA kept"
        value={
          owed === 0 ? 'Nothing due' : `${overdue > MAX_COUNT ? 'At most ' : ''}${Math.round((100 * kept) / owed)} %`
        }
        note={
          owed === 0 ? undefined : `${formatted(kept)} of ${countText(owed, MAX_COUNT + due)} fixed by their due date`
        }
      />
      <Figure
        name="Median time to fix"
        value={
          medians.length === 0
            ? 'None fixed'
            : medians.map(({ severity, seconds }) => (
                <span key={severity} class="median">
                  <SeverityBadge severity={SEVERITIES[severity] ?? 'none'} /> {duration(seconds)}
                </span>
              ))
        }
      />
      <Figure
        name="Verified fixes"
        value={count === 0 ? 'None fixed' : `${Math.round((100 * verified) / count)} %`}
        note={
          count === 0
            ? undefined
            : `${formatted(verified)} of ${formatted(count)} shown by a test, the others stated by a person`
        }
      />
    </dl>
  );
}
