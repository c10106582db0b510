import type { ComponentChildren, VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { AGE_LIMITS, type FindingOverview, OVERVIEW_WEEKS, type OverviewAt } from '../../modules/findings';
import { SeverityBadge } from '../frame/badges';
import { Time } from '../frame/time';
import { countText, labelOf, pluralize } from '../frame/words';
import { HomeTabs } from '../home/home-tabs';
import { assetUrl, type FindingsParameters, findingsUrl, scansUrl } from '../urls';
import { Bars, Chart, PairedColumns } from './charts';
import { OpenOverTime } from './open-over-time';
import { dayOf, startsOf, WeekTable } from './week-table';

/** How long a list is. */
export interface CountedList {
  readonly name: string;
  readonly parameters: FindingsParameters;
  readonly total: number;
}

interface OfOrganization {
  readonly organizationId: number;
  readonly figures: readonly CountedList[];
  /** Of the riskiest assets, by id. One that was deleted since has none. */
  readonly names: ReadonlyMap<number, string>;
}

interface OverviewPageProps extends OfOrganization {
  readonly given: OverviewAt;
}

interface PartProps extends OfOrganization {
  readonly overview: FindingOverview;
  /** The first day of each week. */
  readonly starts: readonly Date[];
}

const DAY_SECONDS = 86_400;

export function OverviewPage({ given: { overview, computed }, ...of }: OverviewPageProps): VNode {
  const { organizationId } = of;
  const parts = { ...of, overview, starts: startsOf(overview.weeks, computed) };
  const isEmpty = overview.open.length === 0 && overview.weeks.every(({ found, fixed }) => found + fixed === 0);
  return (
    <>
      <HomeTabs organizationId={organizationId} current="overview" />
      {isEmpty ? (
        <Nothing organizationId={organizationId} />
      ) : (
        <>
          <Figures {...parts} />
          <div class="charts">
            <OpenOverTime weeks={overview.weeks} computed={computed} />
            <FoundAndFixed {...parts} />
            <OpenByAge {...parts} />
            <RiskiestAssets {...parts} />
          </div>
          <p class="muted">
            The last {OVERVIEW_WEEKS} weeks, as of <Time at={computed} />.
          </p>
        </>
      )}
    </>
  );
}

const Nothing = ({ organizationId }: { organizationId: number }): VNode => (
  <section class="empty">
    <h2>No numbers yet</h2>
    <p>
      The numbers come from findings. <a href={scansUrl(organizationId)}>Scan a URL</a> to get the first ones.
    </p>
  </section>
);

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

function Figures({ organizationId, overview, figures }: PartProps): VNode {
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
        value={owed === 0 ? 'Nothing due' : `${Math.round((100 * kept) / owed)} %`}
        note={owed === 0 ? undefined : `${kept} of ${owed} fixed by their due date`}
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
        note={count === 0 ? undefined : `${verified} of ${count} shown by a test, the others stated by a person`}
      />
    </dl>
  );
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const WEEK_MS = 7 * DAY_SECONDS * 1_000;

function FoundAndFixed({ organizationId, overview: { weeks }, starts }: PartProps): VNode {
  const columnOf = (change: 'found' | 'fixed') => ({
    label: labelOf(change),
    values: weeks.map((week) => week[change]),
    hrefs: starts.map((since) =>
      findingsUrl(organizationId, { change, since, until: new Date(since.getTime() + WEEK_MS) }),
    ),
  });
  const columns = [columnOf('found'), columnOf('fixed')] as const;
  const [found, fixed] = columns;
  const at = ({ values, hrefs }: typeof found, week: number) => ({ count: values[week] ?? 0, href: hrefs[week] ?? '' });
  return (
    <Chart
      id="found"
      message={`${sumOf(found.values)} found and ${sumOf(fixed.values)} fixed in ${OVERVIEW_WEEKS} weeks`}
      table={<WeekTable starts={starts} columns={columns} />}
    >
      <PairedColumns
        pairs={weeks.map((_week, index) => ({ one: at(found, index), other: at(fixed, index) }))}
        names={['Found', 'Fixed']}
        first={dayOf(starts[0])}
        last="now"
      />
    </Chart>
  );
}

const AGES = [...AGE_LIMITS.map((days) => `Under ${days} days`), `${AGE_LIMITS.at(-1)} days and more`];

function OpenByAge({ organizationId, overview: { open } }: PartProps): VNode {
  const old = sumOf(open.map(({ ages }) => ages.at(-1) ?? 0));
  const all = sumOf(open.flatMap(({ ages }) => ages));
  const nameOf = (number: number) => SEVERITIES[number] ?? 'none';
  return (
    <Chart
      id="age"
      message={`${old} of ${pluralize(all, 'open finding')} ${old === 1 ? 'is' : 'are'} older than ${AGE_LIMITS.at(-1)} days`}
      table={
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">Severity</th>
              {AGES.map((age) => (
                <th key={age} scope="col">
                  {age}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {open.map(({ severity, ages }) => (
              <tr key={severity}>
                <th scope="row">
                  <SeverityBadge severity={nameOf(severity)} />
                </th>
                {ages.map((count, index) => (
                  <td key={index}>{count}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      }
    >
      <Bars
        bars={open.map(({ severity, ages }) => ({
          key: String(severity),
          label: labelOf(nameOf(severity)),
          href: findingsUrl(organizationId, {
            severity: nameOf(severity),
            open: true,
            max_severity: nameOf(severity),
            sort: 'priority',
          }),
          parts: ages,
          value: String(sumOf(ages)),
          class: `severity ${nameOf(severity)}`,
        }))}
      />
      <p class="muted">The stronger the color, the older.</p>
    </Chart>
  );
}

const HIGHEST_RISK = 10;

function RiskiestAssets({ organizationId, overview, names }: PartProps): VNode {
  const riskiest = overview.riskiest.flatMap((asset) => {
    const value = names.get(asset.id);
    return value === undefined ? [] : [{ ...asset, value }];
  });
  const [first] = riskiest;
  return (
    <Chart
      id="assets"
      message={
        first === undefined
          ? 'No asset has an open finding with a risk'
          : `${first.value} has the highest risk, ${first.riskScore} of 10.0`
      }
      table={
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">Asset</th>
              <th scope="col">Risk score</th>
              <th scope="col">Open findings</th>
            </tr>
          </thead>
          <tbody>
            {riskiest.map(({ id, value, riskScore, open }) => (
              <tr key={id}>
                <th scope="row" dir="auto">
                  <a href={assetUrl(organizationId, id)}>{value}</a>
                </th>
                <td>{riskScore}</td>
                <td>{open}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    >
      <Bars
        end={HIGHEST_RISK}
        bars={riskiest.map(({ id, value, riskScore }) => ({
          key: String(id),
          label: value,
          href: findingsUrl(organizationId, { asset_id: id, open: true, sort: 'priority' }),
          parts: [Number(riskScore)],
          value: riskScore,
          class: 'risk',
        }))}
      />
    </Chart>
  );
}
