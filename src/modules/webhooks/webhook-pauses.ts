import { Injectable } from '@nestjs/common';
import { isAtLeast } from '../../kernel/role';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import type { AuditDescription } from '../../platform/audit/audit-entry';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import { Callers, MemberMail } from '../identity';
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

const scope = everything('the service pauses webhooks of all organizations');

/** Pauses webhooks, and tells those who answer for them. */
@Injectable()
export class WebhookPauses {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly mail: MemberMail,
    private readonly callers: Callers,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /** Nothing leaves in the name of somebody who may no longer decide about it. Returns whether it is stopped. */
  async pauseWithoutMaker({ id, organizationId, makerId, state }: Webhook): Promise<boolean> {
    if (state === 'paused') return false;
    const role = await this.callers.roleIn(makerId, organizationId);
    if (role !== undefined && isAtLeast(role, 'admin')) return false;
    await this.unitOfWork.runIfDue(pauseOf({ id, organizationId }), scope, async () => {
      const webhook = await this.webhooks.lockOne(scope, organizationId, id);
      if (webhook?.state !== 'active' || webhook.makerId !== makerId) return undefined;
      await this.pause(webhook, 'maker_left');
      return 'paused';
    });
    return true;
  }

  /** Part of a unit of work that `pauseOf` describes. The caller has locked the webhook. */
  async pause(webhook: Webhook, reason: PauseReason): Promise<void> {
    const { id, organizationId, name, makerId } = webhook;
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
