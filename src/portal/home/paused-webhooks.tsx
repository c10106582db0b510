import type { VNode } from 'preact';
import { PAUSE_REASONS, type Webhook } from '../../modules/webhooks';
import { Card } from '../frame/card';
import { webhookUrl } from '../urls';

interface PausedWebhooksProps {
  readonly organizationId: number;
  readonly webhooks: readonly Webhook[];
}

/** Those that the service has paused, for admins. */
export const PausedWebhooks = ({ organizationId, webhooks }: PausedWebhooksProps): VNode | null =>
  webhooks.length === 0 ? null : (
    <Card id="webhooks" class="matter week" title="Paused webhooks">
      <ul class="plain">
        {webhooks.map(({ id, name, pauseReason }) => (
          <li key={id}>
            <a href={webhookUrl(organizationId, id)} dir="auto">
              {name}
            </a>
            : {pauseReason !== null && PAUSE_REASONS[pauseReason]}
          </li>
        ))}
      </ul>
    </Card>
  );
