import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../kernel/durations';
import { Clock } from '../../kernel/clock';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { EventsService } from '../events';
import { DestinationsService, type DestinationState, type FeedRule, FeedService } from '../feed';
import { OrganizationsService } from '../organizations';
import type { Webhook } from './data/webhook.entity';
import { WebhooksRepository } from './data/webhooks.repository';
import { newSecret, publicKeyOf, type SigningSecret } from './domain/signing';
import type { Signature } from './domain/vocabulary';
import { OutboundRequests } from './outbound/outbound-requests';
import { WebhookSecrets } from './webhook-secrets';

export interface WebhookDraft extends FeedRule {
  readonly name: string;
  readonly url: string;
  readonly signature: Signature;
}

/** Omitted fields do not change. */
export type WebhookChange = Partial<Omit<WebhookDraft, 'signature'>> & { readonly state?: DestinationState };

export interface WebhookWithSecret {
  readonly webhook: Webhook;
  /** Shown once. Null for Ed25519, whose receivers need the public key only. */
  readonly secret: SigningSecret | null;
}

const shown = (secret: SigningSecret): SigningSecret | null => (publicKeyOf(secret) === null ? secret : null);

@Injectable()
export class WebhooksService extends DestinationsService<Webhook> {
  constructor(
    protected readonly destinations: WebhooksRepository,
    private readonly secrets: WebhookSecrets,
    private readonly requests: OutboundRequests,
    protected readonly feed: FeedService,
    private readonly events: EventsService,
    protected readonly organizations: OrganizationsService,
    protected readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super();
  }

  @OwnerOf('webhook')
  ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return this.destinations.findOrganization(scope, Number(id));
  }

  /** Those that the service has paused, for admins; none for others. */
  async listStopped(caller: Caller, organizationId: number): Promise<Webhook[]> {
    if (!caller.hasRole('admin', organizationId)) return [];
    return this.destinations.listStoppedFor(caller.scope, organizationId);
  }

  /** It gets the entries from now on. */
  async create(caller: Caller, organizationId: number, draft: WebhookDraft): Promise<WebhookWithSecret> {
    const { id: owner } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: owner, metadata: { name: draft.name, host: hostOf(draft.url) } });
    caller.requireRole('admin', owner);
    this.requests.requireUrl(draft.url, owner);
    await this.events.requireOfVisible(owner, draft.eventIds);
    const secret = newSecret(draft.signature);
    const webhook = await this.add(caller, owner, {
      ...draft,
      sealed: this.secrets.seal({ current: secret }),
      publicKey: publicKeyOf(secret),
    });
    return { webhook, secret: shown(secret) };
  }

  async change(caller: Caller, organizationId: number, id: number, change: WebhookChange): Promise<Webhook> {
    const webhook = await this.lockForAdmin(caller, organizationId, id);
    const { state, url, eventIds = [] } = change;
    this.unitOfWork.note({
      metadata: { changes: Object.keys(change), ...(state && { from: webhook.state, to: state }) },
    });
    if (url !== undefined) this.requests.requireUrl(url, organizationId);
    await this.events.requireOfVisible(organizationId, eventIds);
    const isResumed = state === 'active' && webhook.state === 'paused';
    return this.save(caller, webhook, {
      ...change,
      ...((isResumed || url !== undefined) && { failingSince: null, misses: 0, resumeAt: null }),
    });
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
    await this.destinations.change(webhook, {
      sealed: this.secrets.seal(overlapHours > 0 ? { current: secret, previous } : { current: secret }),
      publicKey: publicKeyOf(secret),
      previousUntil: overlapHours > 0 ? new Date(this.clock.now().getTime() + overlapHours * HOUR_MS) : null,
      makerId: caller.facts.userId,
    });
    return { webhook: await this.get(caller, organizationId, id), secret: shown(secret) };
  }
}

/** A path or a query may contain a credential, and so may the part before the host. */
const hostOf = (url: string): string => /^[a-z]+:\/\/([^/?#\\]*)/i.exec(url)?.[1]?.replace(/^.*@/s, '') ?? '';
