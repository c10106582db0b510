import { ListOf } from '../../../platform/http/fields';

const MAX_ACCOUNTS = 50;

/** The accounts with which the jobs of a schedule or an event also run. */
export const AccountsOfPlan = (): PropertyDecorator =>
  ListOf(
    {
      check: (one) => Number.isInteger(one) && Number(one) > 0 && Number(one) <= 2_147_483_647,
      sentence: 'is the id of an account',
      items: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
      unique: true,
    },
    0,
    MAX_ACCOUNTS,
    {
      nullable: true,
      description:
        'Ids of accounts. A job also runs signed in as those that sign in where it tests. It ends in ERROR if one of them is not proved to be signed in.',
    },
  );
