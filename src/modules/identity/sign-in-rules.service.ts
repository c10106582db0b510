import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { Page, Slice } from '../../kernel/page';
import type { Caller, KeyScope } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { OrganizationsService } from '../organizations';
import { type KeyOfOrganization, OrganizationKeysRepository } from './data/organization-keys.repository';
import type { SignInRules } from './data/sign-in-rules.entity';
import { type RulesForKey, SignInRulesRepository } from './data/sign-in-rules.repository';
import {
  expiryInPast,
  keyLivesTooLong,
  keyNeedsFactor,
  keyScopesForbidden,
  ownFactorFirst,
} from './domain/identity.errors';
import { USES_KEPT_MS } from './domain/key-use';
import { breaksRules, forbiddenScopes, latestEnd, livesTooLong } from './domain/sign-in-rules';
import { KeyAuthenticator } from './key-authenticator';
import { MembersService } from './members.service';

/** How many unused keys the page shows and ends at once. */
const UNUSED_AT_ONCE = 500;

export type RulesDraft = Omit<SignInRules, 'organizationId'>;

export interface NewKeyFacts {
  readonly userId: number;
  readonly organizationId: number | null;
  readonly parentId: number | null;
  readonly identityId: number | null;
  readonly scopes: readonly KeyScope[];
  readonly expires: Date | null;
}

/** What owners require of the sign-ins, sessions and API keys of their organization's members. */
@Injectable()
export class SignInRulesService {
  constructor(
    private readonly rules: SignInRulesRepository,
    private readonly keys: OrganizationKeysRepository,
    private readonly members: MembersService,
    private readonly organizations: OrganizationsService,
    private readonly authenticator: KeyAuthenticator,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async get(caller: Caller, organizationId: number): Promise<SignInRules> {
    await this.organizations.get(caller.scope, organizationId);
    caller.requireRole('owner', organizationId);
    return this.rules.getOfVisible(organizationId);
  }

  /** Keys that break the rules end on the given day; without one they stay. An owner cannot shut themselves out. */
  async change(caller: Caller, organizationId: number, draft: RulesDraft, keysEnd: Date | null): Promise<void> {
    await this.members.lockAsOwner(caller, organizationId);
    await this.unitOfWork.checkCondition();
    if (keysEnd !== null && keysEnd <= this.clock.now()) throw expiryInPast(keysEnd);
    const { organizationId: _id, ...before } = await this.rules.getOfVisible(organizationId);
    await this.rules.save({ organizationId, ...draft });
    const { userId, signIn } = caller.facts;
    const identityId = signIn?.identities.get(organizationId) ?? null;
    const [own] = await this.rules.listForKey({ userId, organizationId, parentId: null, identityId });
    if (own !== undefined && !isMet(own)) throw ownFactorFirst(own.secondFactor);
    const ended = keysEnd === null ? 0 : await this.endBreaking(organizationId, draft, keysEnd);
    this.unitOfWork.note({ metadata: { from: before, to: draft, ended_keys: ended } });
  }

  /** Those of members that open the organization. */
  listKeys(caller: Caller, organizationId: number, page: Page): Promise<Slice<KeyOfOrganization>> {
    caller.requireRole('owner', organizationId);
    return this.keys.listForVisible(organizationId, this.clock.now(), page);
  }

  /** Those that nobody has used for 90 days, or since they were created. */
  listUnusedKeys(caller: Caller, organizationId: number): Promise<KeyOfOrganization[]> {
    caller.requireRole('owner', organizationId);
    const now = this.clock.now();
    return this.keys.listUnusedOfVisible(organizationId, now, new Date(now.getTime() - USES_KEPT_MS), UNUSED_AT_ONCE);
  }

  async endUnusedKeys(caller: Caller, organizationId: number): Promise<void> {
    await this.members.lockAsOwner(caller, organizationId);
    const unused = await this.listUnusedKeys(caller, organizationId);
    await this.end(organizationId, unused, this.clock.now());
    this.unitOfWork.note({ metadata: { ended_keys: unused.map(({ accessKey }) => accessKey) } });
  }

  /** Refuses a new key that breaks a rule of an organization that it would open, and names the rule. */
  async requireAllowed({ scopes, expires, ...key }: NewKeyFacts): Promise<void> {
    const created = this.clock.now();
    for (const rules of await this.rules.listForKey(key)) {
      const { name, keyDays, secondFactorFrom: from } = rules;
      if (!isMet(rules) && (from === null || from <= created)) throw keyNeedsFactor(name, rules.secondFactor);
      const forbidden = forbiddenScopes(scopes, rules);
      if (forbidden.length > 0) throw keyScopesForbidden(name, forbidden, rules.allowedScopes ?? []);
      if (keyDays !== null && livesTooLong({ created, ends: expires }, rules))
        throw keyLivesTooLong(name, keyDays, latestEnd(created, keyDays));
    }
  }

  /** Returns how many keys break the rules. */
  private async endBreaking(organizationId: number, draft: RulesDraft, at: Date): Promise<number> {
    const all = await this.keys.listAllOfVisible(organizationId, this.clock.now());
    const breaking = all.filter((key) => breaksRules(key, draft));
    await this.end(organizationId, breaking, at);
    return breaking.length;
  }

  private async end(organizationId: number, keys: readonly KeyOfOrganization[], at: Date): Promise<void> {
    const ids = keys.map(({ id }) => id);
    await this.keys.endInOrganization(ids, organizationId, at);
    this.unitOfWork.afterCommit(() => this.authenticator.clearCache());
  }
}

/** Whether the user has what the organization requires of its members. */
const isMet = ({ secondFactor, isMember, isByOwnProvider, hasCode, hasPasskey }: RulesForKey): boolean =>
  !isMember || isByOwnProvider || secondFactor === 'off' || hasPasskey || (secondFactor === 'second_factor' && hasCode);
