import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { EventsService } from '../events';
import { FeedService } from '../feed';
import { OrganizationsService } from '../organizations';
import type { Webhook } from './data/webhook.entity';
import { WebhooksRepository } from './data/webhooks.repository';
import { newSecret, publicKeyOf, type SigningSecret } from './domain/signing';
import type { Signature, WebhookState } from './domain/vocabulary';
import type { WebhookFilter } from './domain/webhook-filter';
import { tooManyWebhooks, webhookNotFound } from './domain/webhook.errors';
import { OutboundRequests } from './outbound/outbound-requests';
import { WebhookSecrets } from './webhook-secrets';

/** Per organization. */
const MAX_WEBHOOKS = 20;
const HOUR_MS = 3_600_000;

export interface WebhookDraft extends WebhookFilter {
  readonly name: string;
  readonly url: string;
  readonly signature: Signature;
}

/** Omitted fields do not change. */
export type WebhookChange = Partial<Omit<WebhookDraft, 'signature'>> & { readonly state?: WebhookState };

export interface WebhookWithSecret {
  readonly webhook: Webhook;
  /** Shown once. Null for Ed25519, whose receivers need the public key only. */
  readonly secret: SigningSecret | null;
}

const shown = (secret: SigningSecret): SigningSecret | null => (publicKeyOf(secret) === null ? secret : null);

@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly secrets: WebhookSecrets,
    private readonly requests: OutboundRequests,
    private readonly feed: FeedService,
    private readonly events: EventsService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  @OwnerOf('webhook')
  ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return this.webhooks.findOrganization(scope, Number(id));
  }

  async list(caller: Caller, organizationId: number, page: Page): Promise<Slice<Webhook>> {
    const { id } = await this.organizations.get(caller.scope, organizationId);
    caller.requireRole('admin', id);
    return this.webhooks.listFor(caller.scope, id, page);
  }

  /** Those that the service has paused, for admins; none for others. */
  async listStopped(caller: Caller, organizationId: number): Promise<Webhook[]> {
    if (!caller.hasRole('admin', organizationId)) return [];
    return this.webhooks.listStoppedFor(caller.scope, organizationId);
  }

  async get(caller: Caller, organizationId: number, id: number): Promise<Webhook> {
    const webhook = orThrow(await this.webhooks.findOne(caller.scope, organizationId, id), webhookNotFound);
    caller.requireRole('admin', organizationId);
    return webhook;
  }

  /** It gets the entries from now on. */
  async create(caller: Caller, organizationId: number, draft: WebhookDraft): Promise<WebhookWithSecret> {
    const { id: owner } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: owner, metadata: { name: draft.name, host: hostOf(draft.url) } });
    caller.requireRole('admin', owner);
    this.requests.requireUrl(draft.url, owner);
    await this.events.requireOfVisible(owner, draft.eventIds);
    if ((await this.webhooks.countOfLocked(owner)) >= MAX_WEBHOOKS) throw tooManyWebhooks(MAX_WEBHOOKS);
    const secret = newSecret(draft.signature);
    const id = await this.webhooks.save({
      ...columnsOf(draft),
      signature: draft.signature,
      organizationId: owner,
      sealed: this.secrets.seal({ current: secret }),
      publicKey: publicKeyOf(secret),
      cursor: String(await this.feed.newestOfVisible(owner)),
      makerId: caller.facts.userId,
    });
    this.unitOfWork.note({ resourceId: String(id) });
    return { webhook: await this.get(caller, owner, id), secret: shown(secret) };
  }

  /** Who changes it answers for it from then on. Resumed, it continues with the entries since it was paused. */
  async change(caller: Caller, organizationId: number, id: number, change: WebhookChange): Promise<Webhook> {
    const webhook = await this.lockForAdmin(caller, organizationId, id);
    const { state = webhook.state, ...stated } = change;
    this.unitOfWork.note({
      metadata: { changes: Object.keys(change), ...(change.state && { from: webhook.state, to: state }) },
    });
    if (stated.url !== undefined) this.requests.requireUrl(stated.url, organizationId);
    await this.events.requireOfVisible(organizationId, stated.eventIds ?? []);
    const { signature, ...rest } = webhook;
    const isResumed = state === 'active' && webhook.state === 'paused';
    await this.webhooks.change(webhook, {
      ...columnsOf({ ...rest, signature, ...stated }),
      makerId: caller.facts.userId,
      state,
      pauseReason: state === 'active' ? null : (webhook.pauseReason ?? 'admin'),
      ...((isResumed || stated.url !== undefined) && { failingSince: null, misses: 0, resumeAt: null }),
    });
    return this.get(caller, organizationId, id);
  }

  /** Until the end of the overlap messages are signed with both. */
  async rotateSecret(
    caller: Caller,
    organizationId: number,
    id: number,
    overlapHours: number,
  ): Promise<WebhookWithSecret> {
    const webhook = await this.lockForAdmin(caller, organizationId, id);
    this.unitOfWork.note({ metadata: { overlap_hours: overlapHours } });
    const secret = newSecret(webhook.signature);
    const { current: previous } = this.secrets.read(webhook);
    await this.webhooks.change(webhook, {
      sealed: this.secrets.seal(overlapHours > 0 ? { current: secret, previous } : { current: secret }),
      publicKey: publicKeyOf(secret),
      previousUntil: overlapHours > 0 ? new Date(this.clock.now().getTime() + overlapHours * HOUR_MS) : null,
      makerId: caller.facts.userId,
    });
    return { webhook: await this.get(caller, organizationId, id), secret: shown(secret) };
  }

  /** With its deliveries. */
  async delete(caller: Caller, organizationId: number, id: number): Promise<void> {
    const webhook = await this.lockForAdmin(caller, organizationId, id);
    this.unitOfWork.note({ metadata: { name: webhook.name } });
    await this.webhooks.remove(webhook);
  }

  /** For what an admin does with its deliveries. */
  async lockForAdmin(caller: Caller, organizationId: number, id: number): Promise<Webhook> {
    const webhook = orThrow(await this.webhooks.lockOne(caller.scope, organizationId, id), webhookNotFound);
    this.unitOfWork.note({ organizationId, resourceId: String(id) });
    caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
    return webhook;
  }
}

/** A path or a query may contain a credential. */
const hostOf = (url: string): string => /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';

function columnsOf({ name, url, types, severity, statuses, eventIds, labels, confirmed }: WebhookDraft) {
  return {
    name,
    url,
    types: [...types],
    severity,
    statuses: [...statuses],
    eventIds: [...eventIds],
    labels: [...labels],
    confirmed,
  };
}
