import type { VNode } from 'preact';
import { changeSentence, KIND_NAMES } from '../../modules/observations';
import { Card } from '../frame/card';
import { Time } from '../frame/time';
import { countText, pluralize } from '../frame/words';
import { assetUrl } from '../urls';
import type { WeekView } from './week-reader';

/** What has changed on the assets. */
export function ThisWeek({ view: { organizationId, counts, newest, assets } }: { view: WeekView }): VNode | null {
  if (counts.length === 0) return null;
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card
      id="week"
      class="matter week"
      title={
        <>
          This week <span class="muted">{countText(total)}</span>
        </>
      }
    >
      <p class="muted">
        Changes on your assets: {counts.map(({ kind, count }) => pluralize(count, ...KIND_NAMES[kind])).join(', ')}.
      </p>
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
    </Card>
  );
}
