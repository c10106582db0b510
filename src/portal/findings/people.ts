import { Injectable } from '@nestjs/common';
import { IdentityService, MembersService } from '../../modules/identity';
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

  namesOf(userIds: readonly (number | null)[]): Promise<ReadonlyMap<number, string>> {
    return this.identity.displayNamesOfVisible([...new Set(userIds.filter((id) => id !== null))]);
  }

  /** The names of members by id, in alphabetical order. */
  async assignable(scope: Scope, organizationId: number): Promise<ReadonlyMap<number, string>> {
    const { items } = await this.members.list(scope, organizationId, { page: 1, perPage: MAX_OFFERED });
    const names = await this.namesOf(items.map(({ userId }) => userId));
    return new Map([...names].sort(([, one], [, other]) => one.localeCompare(other, 'en')));
  }
}
