import type { VNode } from 'preact';
import { DAY_MS } from '../../kernel/durations';
import { SEVERITIES } from '../../kernel/severity';
import { AGE_LIMITS, type FindingOverview, OVERVIEW_WEEKS, type OverviewAt } from '../../modules/findings';
import { SeverityBadge } from '../frame/badges';
import { Time } from '../frame/time';
import { formatted, labelOf, pluralize } from '../frame/words';
import { HomeTabs } from '../home/home-tabs';
import { assetUrl, findingsUrl, scansUrl } from '../urls';
import { Bars, Chart, PairedColumns } from './charts';
import { type FigureCounts, Figures, sumOf } from './figures';
import { OpenOverTime } from './open-over-time';
import { dayOf, startsOf, WeekTable } from './week-table';

interface OfOrganization {
  readonly organizationId: number;
  readonly counts: FigureCounts;
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

function FoundAndFixed({ organizationId, overview: { weeks }, starts }: PartProps): VNode {
  const columnOf = (change: 'found' | 'fixed') => ({
    label: labelOf(change),
    values: weeks.map((week) => week[change]),
    hrefs: starts.map((since) =>
      findingsUrl(organizationId, { change, since, until: new Date(since.getTime() + 7 * DAY_MS) }),
    ),
  });
  const columns = [columnOf('found'), columnOf('fixed')] as const;
  const [found, fixed] = columns;
  const at = ({ values, hrefs }: typeof found, week: number) => ({ count: values[week] ?? 0, href: hrefs[week] ?? '' });
  return (
    <Chart
      id="found"
      message={`${formatted(sumOf(found.values))} found and ${formatted(sumOf(fixed.values))} fixed in ${OVERVIEW_WEEKS} weeks`}
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
      message={`${formatted(old)} of ${pluralize(all, 'open finding')} ${old === 1 ? 'is' : 'are'} older than ${AGE_LIMITS.at(-1)} days`}
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
          value: formatted(sumOf(ages)),
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
          : `${first.value} has the highest risk, proved findings first`
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
