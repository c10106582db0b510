import { Injectable } from '@nestjs/common';
import { system } from '../../platform/api/caller';
import type { AuditDescription } from '../../platform/audit/audit-entry';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import { MemberMail } from '../identity';
import type { Webhook } from './data/webhook.entity';
import { type WebhookReference, WebhooksRepository } from './data/webhooks.repository';
import { PAUSE_REASONS, type PauseReason } from './domain/vocabulary';

/** What the service itself changes of a webhook. */
export const pauseOf = ({ id, organizationId }: WebhookReference): AuditDescription => ({
  actor: system,
  operation: 'webhook.pause',
  resourceType: 'webhook',
  resourceId: String(id),
  organizationId,
});

/** Pauses webhooks, and tells those who answer for them. */
@Injectable()
export class WebhookPauses {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly mail: MemberMail,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /** Part of a unit of work that `pauseOf` describes. The caller has locked the webhook. */
  async pause(webhook: Webhook, reason: PauseReason): Promise<void> {
    const { id, organizationId, makerId } = webhook;
    const name = webhook.name.replaceAll(/\s+/g, ' ');
    await this.webhooks.change(webhook, { state: 'paused', pauseReason: reason });
    this.unitOfWork.note({ metadata: { name, reason } });
    await this.mail.addToAdmins(organizationId, makerId, {
      subject: 'A webhook of Assay is paused',
      text: `The webhook "${name}" is paused. ${PAUSE_REASONS[reason]}

Nothing is lost meanwhile: the feed keeps its entries for 30 days, and the webhook continues where it stopped.

${portalUrl(this.config)}/o/${organizationId}/webhooks/${id}
`,
    });
  }
}
