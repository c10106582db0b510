import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { workAudit } from '../../../platform/work/work-audit';
import { Work } from '../../../platform/work/work';
import { type Completion, Scheduled, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { type IdentityWithToken, type ProviderIdentity, ProviderIdentities } from '../../identity';
import { ProviderSignInsRepository } from '../data/provider-sign-ins.repository';
import { ProviderFailure } from '../domain/provider.errors';
import { CHECK_KIND } from '../domain/work-kinds';
import { ProviderAdmission } from '../provider-admission';
import { type ProviderAnswer, ProviderClients } from '../provider-clients';
import { type Provider, Providers } from '../providers.service';

/** Sessions end 60 minutes after the last answer, so there is time to ask again. */
const CHECKED_EVERY_MS = 45 * 60_000;
const STARTED_AT_ONCE = 1_000;

const scope = everything('identities of all organizations are checked');

/** Asks the provider of an identity whether its user is still there. */
@Injectable()
@WorkKind(CHECK_KIND)
export class IdentityCheck implements WorkHandler {
  constructor(
    private readonly identities: ProviderIdentities,
    private readonly providers: Providers,
    private readonly clients: ProviderClients,
    private readonly admission: ProviderAdmission,
  ) {}

  async perform(claim: Claim): Promise<Completion> {
    const found = await this.identities.findWithToken(Number(claim.reference));
    if (found === undefined) return this.completion(claim);
    const { identity, refreshToken } = found;
    const provider = await this.providers.findOf(identity.organizationId);
    if (provider?.issuer !== identity.issuer) return this.completion(claim, () => this.identities.end(identity));
    try {
      const answer = await this.clients.refresh(provider, refreshToken);
      return this.completion(claim, () => this.apply(provider, identity, answer));
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      // A provider that does not answer says nothing about its users.
      return this.completion(claim, error.kind === 'ended' ? () => this.end(found) : undefined);
    }
  }

  abandon(claim: Claim): Completion {
    return this.completion(claim);
  }

  private async apply(provider: Provider, identity: ProviderIdentity, answer: Partial<ProviderAnswer>): Promise<void> {
    const { claims, refreshToken } = answer;
    if (claims !== undefined && claims.subject !== identity.subject) return;
    if (claims !== undefined && !(await this.admission.applyGroups(provider, identity, claims))) return;
    await this.identities.confirm(identity.id, refreshToken);
  }

  /** Not if the user has signed in again meanwhile. */
  private async end({ identity, refreshToken }: IdentityWithToken): Promise<void> {
    const now = await this.identities.findWithToken(identity.id);
    if (now?.refreshToken === refreshToken) await this.identities.end(identity);
  }

  /** An identity that ends has an entry of its own. */
  private completion(claim: Claim, apply: () => Promise<void> = async () => undefined): Completion {
    const audit = workAudit(claim, { operation: CHECK_KIND, resourceType: 'provider_identity' });
    return { audit, apply, isSilent: true };
  }
}

@Injectable()
export class IdentityChecks {
  constructor(
    private readonly identities: ProviderIdentities,
    private readonly signIns: ProviderSignInsRepository,
    private readonly work: Work,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  @Scheduled({ name: 'identity.checks', everySeconds: 60 })
  async run(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - CHECKED_EVERY_MS);
    await this.turns.each(
      'identity.checks',
      scope,
      (part) => this.identities.listUnconfirmed(part, before, STARTED_AT_ONCE),
      ({ id, organizationId }) =>
        this.work.enqueue({ kind: CHECK_KIND, reference: String(id), organizationId: organizationId ?? undefined }),
    );
    await this.signIns.deleteExpired(this.clock.now());
  }
}
