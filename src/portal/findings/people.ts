import { Injectable } from '@nestjs/common';
import { AssetsService } from '../../modules/assets';
import {
  displayNameOf,
  IdentityService,
  MAX_GROUPS,
  MemberGroupsService,
  MembersService,
  ownerOf,
} from '../../modules/identity';
import type { Scope } from '../../platform/api/scope';
import type { OwnerOption } from '../frame/owner-select';

/** A select offers at most so many members. Those who joined last come first. */
const MAX_OFFERED = 100;

const byLabel = (one: OwnerOption, other: OwnerOption): number => one.label.localeCompare(other.label, 'en');

/** Who can be assigned, and the names of those who are. */
@Injectable()
export class People {
  constructor(
    private readonly members: MembersService,
    private readonly identity: IdentityService,
    private readonly groups: MemberGroupsService,
    private readonly assets: AssetsService,
  ) {}

  async namesOf(userIds: readonly (number | null)[]): Promise<ReadonlyMap<number, string>> {
    const ids = [...new Set(userIds.filter((id) => id !== null))];
    return ids.length === 0 ? new Map() : this.identity.displayNamesOfVisible(ids);
  }

  async membersAmong(organizationId: number, userIds: readonly number[]): Promise<ReadonlySet<number>> {
    const members = userIds.length === 0 ? [] : await this.members.listOfVisible(organizationId, userIds);
    return new Set(members.map(({ userId }) => userId));
  }

  /** Who may own assets, as the API names them: groups, then members. */
  async owners(scope: Scope, organizationId: number): Promise<readonly OwnerOption[]> {
    const { items } = await this.groups.list(scope, organizationId, { page: 1, perPage: MAX_GROUPS });
    const members = await this.assignable(scope, organizationId);
    return [
      ...items.map(({ id, name }) => ({ value: `group:${id}`, label: name })).sort(byLabel),
      ...[...members].map(([id, label]) => ({ value: `user:${id}`, label })),
    ];
  }

  /** The name of the owner of a finding, through its asset. */
  async ownerOfAsset(scope: Scope, organizationId: number, assetId: number | null): Promise<string | null> {
    const asset = assetId === null ? undefined : await this.assets.find(scope, assetId);
    return (asset && (await this.groups.nameOf(organizationId, ownerOf(asset)))) ?? null;
  }

  /** The names of members by id, in alphabetical order. */
  async assignable(scope: Scope, organizationId: number): Promise<ReadonlyMap<number, string>> {
    const { items } = await this.members.list(scope, organizationId, { page: 1, perPage: MAX_OFFERED });
    const names = items.map((member) => [member.userId, displayNameOf(member)] as const);
    return new Map(names.sort(([, one], [, other]) => one.localeCompare(other, 'en')));
  }
}
