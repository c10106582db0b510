import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import type { Caller } from '../../platform/api/caller';
import { type ProviderIdentity, ProviderIdentities } from '../identity';
import { providerNotFound } from './domain/provider.errors';
import { type Provider, Providers } from './providers.service';

export interface LinkedProvider extends Pick<Provider, 'id' | 'name' | 'issuer'> {
  /** Undefined if it is not linked. */
  readonly identity: ProviderIdentity | undefined;
}

/** The providers of the organizations of a user, and of the installation. */
@Injectable()
export class LinkedProviders {
  constructor(
    private readonly providers: Providers,
    private readonly identities: ProviderIdentities,
  ) {}

  async list({ facts: { userId, memberships } }: Caller): Promise<LinkedProvider[]> {
    const found = [this.providers.ofInstallation, ...(await this.providers.listOf([...memberships.keys()]))];
    const identities = await this.identities.listOf(userId);
    return found
      .filter((provider) => provider !== undefined)
      .map(({ id, name, issuer, organizationId }) => ({
        id,
        name,
        issuer,
        identity: identities.find((one) => one.organizationId === organizationId && one.issuer === issuer),
      }));
  }

  /** Sessions and keys that it has opened end. */
  async unlink({ facts: { userId } }: Caller, identityId: number): Promise<void> {
    const identities = await this.identities.listOf(userId);
    const identity = orThrow(
      identities.find(({ id }) => id === identityId),
      providerNotFound,
    );
    await this.identities.unlink(identity);
  }
}
