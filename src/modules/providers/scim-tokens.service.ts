import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import type { ProviderRequest } from '../../platform/api/api-request';
import type { Caller } from '../../platform/api/caller';
import { hashToken, MembersService, newToken } from '../identity';
import { IdentityProvidersRepository } from './data/identity-providers.repository';
import { ScimTokensRepository } from './data/scim-tokens.repository';
import { providerNotFound } from './domain/provider.errors';

/** The id of the provider, and the secret. */
const TOKEN = /^scim_(?<id>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})_(?<secret>[\w-]{43})$/;
const DUMMY_HASH = hashToken('no such token');

/** The bearer tokens with which providers send SCIM, one of each organization. */
@Injectable()
export class ScimTokens {
  constructor(
    private readonly tokens: ScimTokensRepository,
    private readonly rows: IdentityProvidersRepository,
    private readonly members: MembersService,
    private readonly clock: Clock,
  ) {}

  /** When the token of a provider that the caller has read was created; undefined without one. */
  createdOfVisible(organizationId: number): Promise<Date | undefined> {
    return this.tokens.createdOfVisible(organizationId);
  }

  /** Replaces the earlier one, which ends at once. Returns what is shown once. */
  async replace(caller: Caller, organizationId: number): Promise<string> {
    await this.members.lockAsOwner(caller, organizationId);
    const { id } = orThrow(await this.rows.findOf(caller.scope, organizationId), providerNotFound);
    const secret = newToken();
    await this.tokens.save({ organizationId, tokenHash: hashToken(secret), created: this.clock.now() });
    return `scim_${id}_${secret}`;
  }

  async remove(caller: Caller, organizationId: number): Promise<void> {
    await this.members.lockAsOwner(caller, organizationId);
    await this.tokens.remove(organizationId);
  }

  /** An unknown provider and a wrong secret cost the same: one query and one comparison. */
  async authenticate(token: string): Promise<ProviderRequest | undefined> {
    const { id, secret } = TOKEN.exec(token)?.groups ?? {};
    if (id === undefined || secret === undefined) return undefined;
    const found = await this.tokens.findOfProvider(id);
    const matches = timingSafeEqual(hashToken(secret), found?.tokenHash ?? DUMMY_HASH);
    return found !== undefined && matches ? { providerId: id, organizationId: found.organizationId } : undefined;
  }
}
