import type { ComponentChildren, VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { MAX_COUNT } from '../../kernel/page';
import type { FindingOverview } from '../../modules/findings';
import { SeverityBadge } from '../frame/badges';
import { countText, formatted, pluralize } from '../frame/words';
import { type FindingsParameters, findingsUrl } from '../urls';

/** How long a list is. */
export interface CountedList {
  readonly name: string;
  readonly parameters: FindingsParameters;
  readonly total: number;
}

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
  readonly figures: readonly CountedList[];
}

/** The numbers above the charts. */
export function Figures({ organizationId, overview, figures }: FiguresProps): VNode {
  const { count, verified, due, kept, medians } = overview.fixes;
  const late = figures.find(({ name }) => name === 'Overdue')?.total ?? 0;
  const owed = due + late;
  return (
    <dl class="figures">
      {figures.map(({ name, parameters, total }) => (
        <Figure key={name} name={name} href={findingsUrl(organizationId, parameters)} value={countText(total)} />
      ))}
      <Figure
        name="SLA kept"
        value={owed === 0 ? 'Nothing due' : `${late > MAX_COUNT ? 'At most ' : ''}${Math.round((100 * kept) / owed)} %`}
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
