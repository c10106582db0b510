import type { VNode } from 'preact';
import { Card } from '../frame/card';
import { Form } from '../frame/form';
import { turnOnObservationUrl } from '../urls';

/** For admins of an organization that exists for longer than observations. */
export const TurnOnObservation = ({ organizationId }: { organizationId: number }): VNode => (
  <Card id="observation" title="Observation is off">
    <p>
      Assay can look at your assets daily, and show their hosts, ports and services, and what has changed. The first
      round takes a week. Each beacon has a setting of its own.
    </p>
    <Form action={turnOnObservationUrl(organizationId)}>
      <button class="primary compact">Turn on observation</button>
    </Form>
  </Card>
);
