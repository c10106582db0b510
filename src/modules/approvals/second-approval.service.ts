import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { DAY_MS } from '../../kernel/durations';
import { groupBy } from '../../kernel/group-by';
import type { Actor, Caller, ProposedChange } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import { MemberMail, MembersService } from '../identity';
import { OrganizationsService } from '../organizations';
import { ApprovalsRepository } from './data/approvals.repository';
import {
  changedSince,
  NeedsApprovalError,
  proposerIsUnproved,
  serviceMayNot,
  tooManyPending,
} from './domain/approval.errors';

/** The mail goes to all other admins. */
const NOBODY = 0;
const scope = everything('the caller has read the organization');
const MAX_PENDING = 200;
const KEPT_MS = 30 * DAY_MS;

/** What is the same after it was stored as JSON. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Makes a confirmed change. `proposer` has the rights that the user has now. */
type Maker<Payload> = (
  proposer: Caller,
  payload: Payload,
  by: { readonly organizationId: number; readonly second: Caller },
) => Promise<unknown>;

/** Lets decisions pass only with a second admin, in organizations that require it. */
@Injectable()
export class SecondApproval {
  private readonly makers = new Map<string, Maker<unknown>>();

  constructor(
    private readonly repository: ApprovalsRepository,
    private readonly organizations: OrganizationsService,
    private readonly members: MembersService,
    private readonly mail: MemberMail,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Called by the modules that make changes, when they start. */
  register<Payload>(kind: string, make: Maker<Payload>): void {
    this.makers.set(kind, make as Maker<unknown>);
  }

  makerOf(kind: string): Maker<unknown> {
    const make = this.makers.get(kind);
    if (make === undefined) throw new Error(`Nothing makes ${kind}.`);
    return make;
  }

  /**
   * Call it when nothing else would refuse the change, and before its first write. Passes if the organization does not require
   * it, or if exactly this change was confirmed. Otherwise it throws, and the change becomes a proposal.
   */
  async require(actor: Actor, change: ProposedChange): Promise<void> {
    if (actor.approved !== undefined) {
      if (!isDeepStrictEqual(stored(actor.approved), stored(change))) throw changedSince();
      return;
    }
    if (!(await this.isRequiredOf(change.organizationId))) return;
    if (actor.type === 'system') throw serviceMayNot(change.summary);
    await this.requireProved(actor, change.organizationId);
    if ((await this.repository.countPending(change.organizationId)) >= MAX_PENDING) throw tooManyPending(MAX_PENDING);
    throw new NeedsApprovalError(change, () => this.propose(actor, [change]));
  }

  /** Otherwise an owner could invite a second account of their own with a link that the service hands over, and propose with it. */
  async requireProved({ type, id }: Actor, organizationId: number): Promise<void> {
    if (type !== 'user') return;
    const { isAddressProved } = await this.members.get(organizationId, Number(id));
    if (!isAddressProved) throw proposerIsUnproved();
  }

  /** Of an organization that the caller has checked. */
  async isRequiredOf(organizationId: number): Promise<boolean> {
    return (await this.organizations.get(scope, organizationId)).secondApproval;
  }

  /** One proposal for each organization. */
  async propose(actor: Actor, changes: readonly ProposedChange[]): Promise<void> {
    for (const [organizationId, all] of groupBy(changes, (change) => change.organizationId))
      await this.add(actor, organizationId, all);
  }

  private async add(actor: Actor, organizationId: number, all: readonly ProposedChange[]): Promise<void> {
    const changes = stored(all.map(({ organizationId: _same, ...change }) => change));
    const proposedAt = this.clock.now();
    const id = await this.repository.add({
      organizationId,
      changes,
      digest: createHash('sha256').update(JSON.stringify(changes)).digest('hex'),
      proposedBy: Number(actor.id),
      proposedAt,
      expires: new Date(proposedAt.getTime() + KEPT_MS),
    });
    if (id === undefined) return;
    const entry = { resourceType: 'approval', resourceId: String(id), organizationId } as const;
    const metadata = { changes: changes.map(({ kind, payload }) => ({ kind, ...payload })).slice(0, 20) };
    await this.unitOfWork.recordSeparately({ actor, operation: 'approval.propose', ...entry, metadata });
    const message = {
      subject: 'A change needs your approval',
      text: [
        ...changes.slice(0, 5).map(({ summary }) => summary),
        ...(changes.length > 5 ? [`And ${changes.length - 5} more.`] : []),
        `${portalUrl(this.config)}/o/${organizationId}/approvals\n`,
      ].join('\n\n'),
    };
    await this.mail.addToAdmins(organizationId, NOBODY, message, Number(actor.id));
  }
}
