import type { Answer, Client } from './client';
import { query } from './database';
import type { DnsServer } from './dns-server';
import { type Factories, type Tenant, uniqueDomain } from './factories';

export const challengeOf = (domain: string): string => `_assay-challenge.${domain}`;

export const recordOf = (token: string): string => `assay-verification=${token}`;

/** A domain with a client of its organization's owner. */
export interface TestDomain {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly id: number;
  readonly value: string;
  /** The TXT record that proves ownership. */
  readonly record: string;
  readonly path: string;
  readonly verify: () => Promise<Answer>;
  readonly read: () => Promise<Answer>;
  readonly log: (filter: string) => Promise<{ total: number; audit_logs: object[] }>;
}

export class DomainFactory {
  constructor(
    private readonly make: Factories,
    private readonly dns: DnsServer,
  ) {}

  /** Adds a domain, by default in a new organization. */
  async add(value = uniqueDomain(), options: { verified?: boolean; tenant?: Tenant } = {}): Promise<TestDomain> {
    const tenant = options.tenant ?? (await this.make.organization());
    const { client } = await tenant.as('owner');
    const { id, token } = await this.make.domain(tenant.id, { value, verified: options.verified });
    const path = `/v1/organizations/${tenant.id}/domains/${id}`;
    return {
      tenant,
      client,
      id,
      value,
      path,
      record: recordOf(token),
      verify: () => client.post(`${path}/verify`),
      read: () => client.get(path),
      log: async (filter) => (await client.get(`/v1/audit-logs/?resource_type=domain&${filter}`)).body,
    };
  }

  /** Adds a domain and verifies it by its DNS record. */
  async addVerifiedByDns(value?: string): Promise<TestDomain> {
    const domain = await this.add(value);
    this.dns.publish(challengeOf(domain.value), domain.record);
    expect((await domain.verify()).body.verified).toBe(true);
    return domain;
  }
}

/** Makes the lookups of these domains due, and the clock task that schedules them. */
export async function makeDue(...ids: number[]): Promise<void> {
  await query('UPDATE domains SET next_lookup = now() WHERE id = ANY($1)', [ids]);
  await query("DELETE FROM clock_tasks WHERE name = 'domain.lookups'");
}
