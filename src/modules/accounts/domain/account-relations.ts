import { invalid } from '../../../kernel/domain-error';
import { listOf, objectOf, oneOf, optional, type Reader, text } from './read-json';

export const RELATION_KINDS = ['equal', 'above'] as const;

/** What an admin states about an account and another one of its asset. */
export interface AccountRelation {
  readonly account: number;
  /** `equal`: they share only `shared`. `above`: this account has more rights than the other one. */
  readonly is: (typeof RELATION_KINDS)[number];
  /** Paths that both may request on purpose. A path that ends with a slash includes all below it. */
  readonly shared: readonly string[];
}

export const MAX_OWN_VALUES = 20;
/** Shorter values are in other texts by chance. */
export const OWN_VALUE_LENGTHS = { min: 6, max: 200 } as const;
export const MAX_RELATIONS = 10;
const MAX_SHARED = 50;
const MAX_PATH_LENGTH = 500;

const id: Reader = (value, at) => {
  if (!Number.isSafeInteger(value) || Number(value) < 1) throw invalid(`${at} must be the id of an account.`);
  return value;
};

const path: Reader = (value, at) => {
  const read = text(MAX_PATH_LENGTH)(value, at) as string;
  if (!read.startsWith('/')) throw invalid(`${at} must be a path that begins with a slash, such as /help/.`);
  return read;
};

const relations = listOf(
  objectOf({ account: id, is: oneOf(...RELATION_KINDS), shared: optional(listOf(path, MAX_SHARED)) }),
  MAX_RELATIONS,
);

/** Reads what a request states. Throws an error that names the field. */
export function relationsOf(stated: unknown): AccountRelation[] {
  const read = relations(stated, 'relations') as (Omit<AccountRelation, 'shared'> & { shared?: string[] })[];
  const twice = read.find((one, at) => read.findIndex(({ account }) => account === one.account) !== at);
  if (twice !== undefined) throw invalid(`relations has the account ${twice.account} twice.`);
  return read.map((one) => ({ ...one, shared: one.shared ?? [] }));
}

export function requireOwnValues(values: readonly string[]): void {
  const { min } = OWN_VALUE_LENGTHS;
  const short = values.find((value) => value.length < min || value !== value.trim());
  if (short !== undefined)
    throw invalid(
      `own_values must have at least ${min} characters each, without spaces around them: shorter ones occur in other texts by chance.`,
    );
}

/** Refuses accounts that are not other accounts of the asset. */
export function requireOthers(stated: readonly AccountRelation[], own: number, others: ReadonlySet<number>): void {
  const unknown = stated.find(({ account }) => account === own || !others.has(account));
  if (unknown !== undefined)
    throw invalid(`relations has the account ${unknown.account}, which is not another account of this asset.`);
}

/** Two accounts of a job whose relation an admin has stated. */
export interface AccountPair<Account> {
  readonly first: Account;
  readonly second: Account;
  /** Whether the first account has more rights than the second. */
  readonly isAbove: boolean;
  readonly shared: readonly string[];
}

/** Each pair of these accounts once. What either of them states as shared is shared. */
export function pairsAmong<Account extends { readonly id: number; readonly relations: readonly AccountRelation[] }>(
  accounts: readonly Account[],
): AccountPair<Account>[] {
  const pairs = new Map<string, AccountPair<Account>>();
  for (const one of accounts)
    for (const { account, is, shared } of one.relations) {
      const other = accounts.find(({ id: known }) => known === account);
      if (other === undefined) continue;
      const key = [one.id, other.id].toSorted((a, b) => a - b).join(' ');
      const known = pairs.get(key);
      const pair = {
        first: one,
        second: other,
        isAbove: is === 'above',
        shared: [...(known?.shared ?? []), ...shared],
      };
      pairs.set(key, known?.isAbove === true ? { ...known, shared: pair.shared } : pair);
    }
  return [...pairs.values()];
}
