/** Who owns an asset: a member, or a group of members. */
export type Owner = `user:${number}` | `group:${number}`;

/** The owner in a filter: also nobody, or the caller with the groups of the caller. `me:` with the id of the user is for the database. */
export type OwnerFilter = Owner | `me:${number}` | 'none';

interface StoredOwner {
  readonly ownerUserId: number | null;
  readonly ownerGroupId: number | null;
}

export const NO_OWNER: StoredOwner = { ownerUserId: null, ownerGroupId: null };

const ID = '[1-9][0-9]{0,9}';
const MAX_ID = 2_147_483_647;

export const OWNER_PATTERN = `^(user|group):${ID}$`;
export const OWNER_FILTER_PATTERN = `^(me|none|(user|group):${ID})$`;

const idIn = (text: string): number => Number(text.split(':')[1] ?? 1);

const matches =
  (pattern: string) =>
  (value: unknown): value is string =>
    typeof value === 'string' && new RegExp(pattern).test(value) && idIn(value) <= MAX_ID;

export const isOwner = matches(OWNER_PATTERN) as (value: unknown) => value is Owner;
export const isOwnerFilter = matches(OWNER_FILTER_PATTERN);

export const ownerOf = ({ ownerUserId, ownerGroupId }: StoredOwner): Owner | null =>
  ownerUserId !== null ? `user:${ownerUserId}` : ownerGroupId !== null ? `group:${ownerGroupId}` : null;

export function storedOwner(owner: Owner | null): StoredOwner {
  if (owner === null) return NO_OWNER;
  return owner.startsWith('user:')
    ? { ownerUserId: idIn(owner), ownerGroupId: null }
    : { ownerUserId: null, ownerGroupId: idIn(owner) };
}

/** As the database compares it: `owned_assets` knows these words. */
export const ownerFilterOf = (text: string, userId: number): OwnerFilter =>
  text === 'me' ? `me:${userId}` : (text as Owner | 'none');
