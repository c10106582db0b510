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

/** The providers of the organizations of a user, and of the installation, with every identity of the user. */
@Injectable()
export class LinkedProviders {
  constructor(
    private readonly providers: Providers,
    private readonly identities: ProviderIdentities,
  ) {}

  async list({ facts: { userId, memberships } }: Caller): Promise<LinkedProvider[]> {
    const found = [this.providers.ofInstallation, ...(await this.providers.listOf([...memberships.keys()]))];
    const identities = await this.identities.listOf(userId);
    const others = new Set(identities);
    const listed = found.flatMap((provider): LinkedProvider[] => {
      if (provider === undefined) return [];
      const { id, name, issuer, organizationId } = provider;
      const own = identities.filter((one) => one.organizationId === organizationId && one.issuer === issuer);
      for (const identity of own) others.delete(identity);
      return (own.length === 0 ? [undefined] : own).map((identity) => ({ id, name, issuer, identity }));
    });
    const left = Array.from(others, (identity) => ({ id: '', name: null, issuer: identity.issuer, identity }));
    return [...listed, ...left];
  }

  /** Whether one waits for the user to keep or to end it. */
  async hasToReview({ facts: { userId }, isOfProvider }: Caller): Promise<boolean> {
    if (isOfProvider) return false;
    return (await this.identities.listOf(userId)).some(({ reviewSince }) => reviewSince !== null);
  }

  /** The decision of the user after a new password. */
  async keep(caller: Caller, identityId: number): Promise<void> {
    await this.identities.keep(await this.get(caller, identityId));
  }

  /** Sessions and keys that it has opened end. */
  async unlink(caller: Caller, identityId: number): Promise<void> {
    await this.identities.unlink(await this.get(caller, identityId));
  }

  private async get({ facts: { userId } }: Caller, identityId: number): Promise<ProviderIdentity> {
    const identities = await this.identities.listOf(userId);
    return orThrow(
      identities.find(({ id }) => id === identityId),
      providerNotFound,
    );
  }
}
