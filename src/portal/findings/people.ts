import { Injectable } from '@nestjs/common';
import { displayNameOf, IdentityService, MembersService } from '../../modules/identity';
import type { Scope } from '../../platform/api/scope';

/** A select offers at most so many members. Those who joined last come first. */
const MAX_OFFERED = 100;

/** Who can be assigned, and the names of those who are. */
@Injectable()
export class People {
  constructor(
    private readonly members: MembersService,
    private readonly identity: IdentityService,
  ) {}

  async namesOf(userIds: readonly (number | null)[]): Promise<ReadonlyMap<number, string>> {
    const ids = [...new Set(userIds.filter((id) => id !== null))];
    return ids.length === 0 ? new Map() : this.identity.displayNamesOfVisible(ids);
  }

  /** The names of members by id, in alphabetical order. */
  async assignable(scope: Scope, organizationId: number): Promise<ReadonlyMap<number, string>> {
    const { items } = await this.members.list(scope, organizationId, { page: 1, perPage: MAX_OFFERED });
    const names = items.map((member) => [member.userId, displayNameOf(member)] as const);
    return new Map(names.sort(([, one], [, other]) => one.localeCompare(other, 'en')));
  }
}
