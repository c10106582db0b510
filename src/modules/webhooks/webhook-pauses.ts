import { Injectable } from '@nestjs/common';
import { system } from '../../platform/api/caller';
import type { AuditDescription } from '../../platform/audit/audit-entry';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Config } from '../../platform/config/load-config';
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
    const { id, organizationId, name, makerId } = webhook;
    await this.webhooks.change(webhook, { state: 'paused', pauseReason: reason });
    this.unitOfWork.note({ metadata: { name, reason } });
    const { PORTAL_URL } = this.config;
    const link = PORTAL_URL === undefined ? '' : `\n\n${PORTAL_URL}/organizations/${organizationId}/webhooks/${id}`;
    await this.mail.addToAdmins(organizationId, makerId, {
      subject: 'A webhook of Assay is paused',
      text: `The webhook "${name}" is paused. ${PAUSE_REASONS[reason]}

Nothing is lost meanwhile: the feed keeps its entries for 30 days, and the webhook continues where it stopped.${link}
`,
    });
  }
}
