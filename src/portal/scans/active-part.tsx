import type { VNode } from 'preact';
import type { ActiveView } from '../../modules/jobs';
import { Card } from '../frame/card';
import { pluralize } from '../frame/words';
import { scanUrl } from '../urls';

interface ActivePartProps {
  readonly organizationId: number;
  readonly uuid: string;
  readonly active: ActiveView | null;
}

/** What an active scan has found and tested. */
export const ActivePart = ({ organizationId, uuid, active }: ActivePartProps): VNode | null =>
  active && (
    <Card id="active" title="Active tests">
      <p>
        {active.tested.toLocaleString('en')} of {pluralize(active.points, 'point')} tested, on{' '}
        {pluralize(active.pages, 'page')} of {pluralize(active.shapes, 'shape')}.
      </p>
      {active.warning !== null && <p>Warning: {active.warning}</p>}
      {active.reason !== null && (
        <p dir="auto">
          Not all points were tested: {active.reason}.
          {active.tested < active.points && ' The next active scan begins with the others.'}
        </p>
      )}
      {active.notes.map((note) => (
        <p dir="auto">Noticed: {note}.</p>
      ))}
      <p>
        <a href={`${scanUrl(organizationId, uuid)}/points`}>Show the points</a> ·{' '}
        <a href={`${scanUrl(organizationId, uuid)}/left-out`}>
          {pluralize(active.leftOut ?? 0, 'address', 'addresses')} left out
        </a>{' '}
        · <a href={`${scanUrl(organizationId, uuid)}/written`}>Written to the site</a> ·{' '}
        <a href={`${scanUrl(organizationId, uuid)}/requests`} download>
          Download the list of requests
        </a>
      </p>
    </Card>
  );
