import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import { everything } from '../../platform/api/scope';
import { Config } from '../../platform/config/load-config';
import { decryptionKeysOf, seal, secretKeyOf, unseal } from '../../platform/config/secret-key';
import { parseUuid } from '../../platform/http/path-uuid';
import { DomainsService } from '../assets';
import { reencryptRows } from '../identity';
import { IdentityProvidersRepository, type ProviderRow } from './data/identity-providers.repository';
import { domainOfAddress } from './domain/provider-claims';
import { type ProviderFailure, noProviderForAddress, providerNotFound } from './domain/provider.errors';
import type { RoleMapping } from './domain/role-mapping';
import type { ProviderClient } from './discover-provider';

/** The provider of an organization, or that of the installation. */
export interface Provider extends ProviderClient, RoleMapping {
  /** In its address for sign-ins. */
  readonly id: string;
  /** Of its organization. */
  readonly name: string | null;
  readonly createsUsers: boolean;
  /** Whether an address counts only with `email_verified: true`. */
  readonly needsVerifiedEmail: boolean;
}

export const INSTALLATION = 'installation';

const NAME = 'the secret of an identity provider';
const REMEDY = 'delete the rows of the table identity_providers, and set the providers up again';
const anyOrganization = everything('a sign-in begins before its user is known');

/** Finds providers, for people who are not signed in yet. */
@Injectable()
export class Providers {
  constructor(
    private readonly providers: IdentityProvidersRepository,
    private readonly domains: DomainsService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Undefined if the operator has not set up one. */
  get ofInstallation(): Provider | undefined {
    const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = this.config;
    if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
    const rules = {
      groupsClaim: 'groups',
      roles: [],
      defaultRole: null,
      createsUsers: false,
      needsVerifiedEmail: true,
    };
    return { id: INSTALLATION, organizationId: null, name: null, issuer, clientId, clientSecret, ...rules };
  }

  async get(id: string): Promise<Provider> {
    if (id === INSTALLATION) return orThrow(this.ofInstallation, providerNotFound);
    return this.opened(orThrow(await this.providers.findById(parseUuid(id)), providerNotFound));
  }

  /** Null for that of the installation. */
  async findOf(organizationId: number | null): Promise<Provider | undefined> {
    if (organizationId === null) return this.ofInstallation;
    const row = await this.providers.findOf(anyOrganization, organizationId);
    return row && this.opened(row);
  }

  async listOf(organizationIds: readonly number[]): Promise<Provider[]> {
    return (await this.providers.listOf(organizationIds)).map((row) => this.opened(row));
  }

  /** Of an organization that has verified the domain of an e-mail address. */
  async forAddress(email: string): Promise<Provider> {
    const owners = await this.domains.listOwnersOf(domainOfAddress(email));
    const [first] = await this.providers.listOf(owners);
    return this.opened(orThrow(first, noProviderForAddress));
  }

  /** Shown to the owners of the organization. */
  async recordFailure({ organizationId }: Provider, { message: reason, claims }: ProviderFailure): Promise<void> {
    const at = this.clock.now().toISOString();
    if (organizationId !== null) await this.providers.addFailure(organizationId, { at, reason, claims });
  }

  seal(clientSecret: string): Buffer {
    return seal(Buffer.from(clientSecret), NAME, secretKeyOf(this.config));
  }

  /** Encrypts with the current SECRET_KEY. Returns how many were encrypted with another key. */
  reencrypt(options: { countOnly: boolean }): Promise<number> {
    return reencryptRows(this.providers, { nameOf: () => NAME, remedy: REMEDY }, this.config, options);
  }

  private opened({ sealed, organizationName: name, ...row }: ProviderRow): Provider {
    const clientSecret = unseal(sealed, NAME, decryptionKeysOf(this.config), REMEDY).toString();
    return { ...row, name, clientSecret };
  }
}
