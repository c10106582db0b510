import type { ComponentChildren, VNode } from 'preact';
import { changeSentence, KIND_NAMES } from '../../modules/observations';
import { Time } from '../frame/time';
import { countText, pluralize } from '../frame/words';
import { assetUrl, findingsUrl } from '../urls';
import { FINDING_COUNTS, type FindingCounts } from './finding-matters';
import { COUNTED } from './home-reader';
import type { WeekView } from './week-reader';

interface ThisWeekProps {
  readonly view: WeekView;
  readonly counts: FindingCounts;
  /** What schedules and events do. */
  readonly children: ComponentChildren;
}

export const ThisWeek = ({ view, counts: { severe, found, fixed }, children }: ThisWeekProps): VNode => (
  <aside class="this-week" aria-labelledby="this-week-title">
    <h2 id="this-week-title">Last 7 days</h2>
    <dl>
      {[
        { label: 'Open, high and above', parameters: FINDING_COUNTS.severe, count: severe },
        { label: 'New', parameters: FINDING_COUNTS.found, count: found },
        { label: 'Fixed', parameters: FINDING_COUNTS.fixed, count: fixed },
      ].map(({ label, parameters, count }) => (
        <div key={label}>
          <dt>
            <a href={findingsUrl(view.organizationId, parameters)}>{label}</a>
          </dt>
          <dd>{countText(count, COUNTED)}</dd>
        </div>
      ))}
    </dl>
    <Changes view={view} />
    {children}
  </aside>
);

/** What has changed on the assets. */
function Changes({ view: { organizationId, counts, newest, assets } }: { view: WeekView }): VNode | null {
  if (counts.length === 0) return null;
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <section class="matter" aria-labelledby="week-title">
      <h3 id="week-title">
        Changes on your assets <span class="count">{countText(total)}</span>
      </h3>
      <p class="muted">{counts.map(({ kind, count }) => pluralize(count, ...KIND_NAMES[kind])).join(', ')}.</p>
      <ul class="plain">
        {newest.map((change) => (
          <li key={change.id}>
            <a href={assetUrl(organizationId, change.assetId)} dir="auto">
              {assets.get(change.assetId)}
            </a>{' '}
            <span dir="auto">{changeSentence(change)}</span>{' '}
            <span class="muted">
              <Time at={change.seen} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
