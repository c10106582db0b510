import { randomBytes } from 'node:crypto';
import {
  createIntegrator,
  createKey,
  createMembership,
  createOrganization,
  createUser,
} from '../../src/apps/cli/identity-actions';
import type { Role } from '../../src/kernel/role';
import {
  type Finding,
  type FindingDraft,
  FindingsService,
  MarkdownRenderer,
  type RecordingResult,
} from '../../src/modules/findings';
import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { type KeyScope, system } from '../../src/platform/api/caller';
import { everything } from '../../src/platform/api/scope';
import type { RunningApi } from './api';
import { Client, type Credentials } from './client';
import { query } from './database';

export const unique = (prefix: string): string => `${prefix} ${randomBytes(5).toString('hex')}`;

/** A domain that no other test uses. */
export const uniqueDomain = (): string => `x${randomBytes(6).toString('hex')}.example`;

const uniqueEmail = (): string => `${randomBytes(6).toString('hex')}@example.com`;

interface KeyOptions {
  readonly scopes?: KeyScope[];
  /** Limits the key to this organization. */
  readonly limitedTo?: number;
  readonly expires?: Date;
}

export interface Person {
  readonly userId: number;
  readonly credentials: Credentials;
  readonly client: Client;
}

export interface Tenant {
  readonly id: number;
  readonly name: string;
  as(role: Role): Promise<Person>;
}

type TestedAsset = Omit<FindingDraft['asset'], 'beaconId'> & { readonly beaconId?: number | null };

type Draft = Partial<Omit<FindingDraft, 'asset'>> & { readonly md?: string; readonly asset?: TestedAsset };

interface AssetOptions {
  readonly value?: string;
  readonly type?: string;
  readonly beaconId?: number | null;
  readonly tier?: number | null;
}

/** Creates test data. Each test creates its own, so that nothing has to be cleaned up. */
export class Factories {
  constructor(private readonly api: RunningApi) {}

  anonymous(): Client {
    return new Client(() => this.api.url);
  }

  withCredentials(credentials: Credentials): Client {
    return new Client(() => this.api.url, credentials);
  }

  async key(userId: number, { scopes = ['write'], limitedTo, expires }: KeyOptions = {}): Promise<Credentials> {
    return createKey(this.api.app, userId, { label: 'test', scopes, organization: limitedTo, expires });
  }

  async person(userId: number, options?: KeyOptions): Promise<Person> {
    const credentials = await this.key(userId, options);
    return { userId, credentials, client: this.withCredentials(credentials) };
  }

  /** Creates an organization; `as(role)` creates a member of it. */
  async organization(options: { integratorId?: number; assetsLimit?: number } = {}): Promise<Tenant> {
    const name = unique('Organization');
    const id = await createOrganization(this.api.app, name, options.assetsLimit, options.integratorId ?? null);
    return { id, name, as: (role) => this.member(id, role) };
  }

  async member(organizationId: number, role: Role, options?: KeyOptions): Promise<Person> {
    const userId = await this.user();
    await createMembership(this.api.app, userId, organizationId, role);
    return this.person(userId, options);
  }

  user(integratorId?: number): Promise<number> {
    return createUser(this.api.app, { email: uniqueEmail(), integratorId });
  }

  /** The keys that the user has open the organization too, as if they had been made later. */
  async membership(userId: number, organizationId: number, role: Role): Promise<void> {
    await createMembership(this.api.app, userId, organizationId, role);
    await query(
      `INSERT INTO api_key_organizations (key_id, organization_id, user_id)
       SELECT id, $2, user_id FROM api_keys WHERE user_id = $1 AND organization_id IS NULL`,
      [userId, organizationId],
    );
  }

  async integrator(
    options: { machineEvents?: boolean; organizationsLimit?: number } & KeyOptions = {},
  ): Promise<Person & { integratorId: number }> {
    const integratorId = await createIntegrator(
      this.api.app,
      unique('Integrator'),
      options.machineEvents ?? false,
      options.organizationsLimit,
    );
    const person = await this.person(await this.user(integratorId), options);
    return { ...person, integratorId };
  }

  /** Adds an asset through the API, as an owner of the organization. */
  async asset(
    organizationId: number,
    { value = uniqueDomain(), type = 'domain', beaconId = null, tier = null }: AssetOptions = {},
  ): Promise<{ id: number; value: string }> {
    const { client } = await this.member(organizationId, 'owner');
    const body = { organization_id: organizationId, asset_value: value, asset_type: type, beacon_id: beaconId, tier };
    const answer = await client.post('/v1/assets/', body);
    if (answer.status !== 201) throw new Error(answer.text);
    return { id: answer.body.id, value };
  }

  /** Adds a domain and its asset through the API. `verified` sets it verified without a DNS lookup. */
  async domain(
    organizationId: number,
    { value = uniqueDomain(), verified = false }: { value?: string; verified?: boolean } = {},
  ): Promise<{ id: number; value: string; token: string }> {
    const { client } = await this.member(organizationId, 'owner');
    const answer = await client.post('/v1/domains/', { organization_id: organizationId, value });
    if (answer.status !== 201) throw new Error(answer.text);
    const [row] = await query<{ id: number; token: string }>(
      'UPDATE domains SET verified = $2 WHERE id = $1 RETURNING id, verification_token AS token',
      [answer.body.id, verified],
    );
    if (row === undefined) throw new Error(`domain ${answer.body.id} no longer exists`);
    return { ...row, value };
  }

  /** Creates an event through the API; `status` sets any status without waiting for the clock. */
  async event(
    organizationId: number,
    { status, ...draft }: { status?: string; [field: string]: unknown } = {},
  ): Promise<{ id: number; slug: string }> {
    const { client } = await this.member(organizationId, 'admin');
    const manual = (draft['event_type'] ?? 1) === 1 ? { automatic: false } : {};
    const fixed = { name: unique('Event'), event_type: 1, event_category: 1, start_date: '2999-01-01' };
    const body = { ...fixed, ...manual, ...draft };
    const answer = await client.post(`/v1/organizations/${organizationId}/events/`, body);
    if (answer.status !== 201) throw new Error(answer.text);
    const { id, slug } = answer.body;
    if (status !== undefined) await query('UPDATE events SET status = $2 WHERE id = $1', [id, status]);
    return { id, slug };
  }

  /** Creates a beacon through the API and returns its token. */
  async beacon(
    organizationId: number,
    draft: { name?: string; allowed_cidrs?: string[] } = {},
  ): Promise<{ id: number; token: string }> {
    const { client } = await this.member(organizationId, 'admin');
    const body = { name: unique('Beacon').replace(' ', '-'), allowed_cidrs: ['10.20.0.0/16'], ...draft };
    const answer = await client.post(`/v1/organizations/${organizationId}/beacons/`, body);
    if (answer.status !== 201) throw new Error(answer.text);
    return { id: answer.body.id, token: answer.body.beacon_token };
  }

  /** Records a finding as the system, by default without an asset and an event. */
  async record(organizationId: number, { md, asset: stated, ...draft }: Draft = {}): Promise<RecordingResult> {
    const markdown = this.api.app.get(MarkdownRenderer);
    const text = md === undefined ? null : await markdown.render(md, `organization ${organizationId}`);
    const asset = { id: null, value: 'example.com', tier: null, beaconId: null, ...stated };
    const severity = { severity: draft.score == null && draft.cvssVector == null ? 'medium' : undefined };
    const complete = { organizationId, eventId: null, asset, title: unique('Finding'), text, ...severity, ...draft };
    return this.api.app
      .get(UnitOfWork)
      .run(
        { actor: system, operation: 'finding.record', resourceType: 'finding', organizationId },
        everything('a test'),
        () => this.api.app.get(FindingsService).record(system, complete),
      );
  }

  async finding(organizationId: number, draft?: Draft): Promise<Finding> {
    return (await this.record(organizationId, draft)).finding;
  }
}
