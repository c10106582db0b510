import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { system } from '../../platform/api/caller';
import { Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Work } from '../../platform/work/work';
import { hashToken, ProviderIdentities } from '../identity';
import { ProviderSignInsRepository } from './data/provider-sign-ins.repository';
import { CHECK_KIND } from './domain/work-kinds';
import { logoutRefused, ProviderFailure } from './domain/provider.errors';
import { ProviderClients } from './provider-clients';
import { Providers } from './providers.service';

/** Longer than a logout token is accepted. */
const KEPT_MS = 10 * 60_000;

/** OpenID Connect back-channel logout: the provider ends sessions at once. */
@Injectable()
export class ProviderLogoutService {
  constructor(
    private readonly providers: Providers,
    private readonly clients: ProviderClients,
    private readonly signIns: ProviderSignInsRepository,
    private readonly identities: ProviderIdentities,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Then asks about the user: one who has left loses the keys too. */
  async logOut(id: string, token: string): Promise<void> {
    const provider = await this.providers.get(id);
    const { organizationId, issuer } = provider;
    const {
      jti = '',
      sub: subject,
      sid,
    } = await this.clients.verifyLogout(provider, token).catch((error: unknown) => {
      throw error instanceof ProviderFailure ? logoutRefused(error.message) : error;
    });
    const named = { subject, sid: typeof sid === 'string' ? sid : undefined };
    if (named.subject === undefined && named.sid === undefined) throw logoutRefused('it names no sub and no sid.');
    const description = {
      actor: system,
      operation: 'session.end',
      resourceType: 'session',
      organizationId,
      metadata: { provider: issuer, subject },
    } as const;
    await this.unitOfWork.run(description, Scope.organizations([]), async () => {
      const expires = new Date(this.clock.now().getTime() + KEPT_MS);
      if (!(await this.signIns.useLogout(hashToken(JSON.stringify([issuer, provider.clientId, jti])), expires)))
        throw logoutRefused('it was used before.');
      for (const identityId of await this.identities.closeSessions({ organizationId, issuer, ...named }))
        await this.work.enqueue({
          kind: CHECK_KIND,
          reference: String(identityId),
          organizationId: organizationId ?? undefined,
        });
    });
  }
}
