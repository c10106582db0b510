import { type AccountRelation, pairsAmong, relationsOf } from './account-relations';

const account = (id: number, relations: readonly AccountRelation[] = []) => ({ id, relations });
const shown = (accounts: readonly ReturnType<typeof account>[]): string[] =>
  pairsAmong(accounts).map(({ first, second, isAbove, shared }) =>
    `${first.id} ${isAbove ? 'above' : 'equal'} ${second.id} ${shared.join(' ')}`.trim(),
  );
const is = (other: number, kind: AccountRelation['is'], ...shared: string[]): AccountRelation => ({
  account: other,
  is: kind,
  shared,
});

it('compares each pair of accounts that an admin has declared once, and no others', () => {
  expect(shown([account(1, [is(2, 'equal', '/help/')]), account(2, [is(1, 'equal', '/faq')]), account(3)])).toEqual([
    '2 equal 1 /help/ /faq',
  ]);
  expect(shown([account(1, [is(2, 'above'), is(3, 'equal')]), account(2), account(3)])).toEqual([
    '1 above 2',
    '1 equal 3',
  ]);
  expect(shown([account(1), account(2)])).toEqual([]);
  expect(shown([account(1, [is(4, 'equal')])])).toEqual([]);
});

it('an account that is above another one stays so, whatever the other one declares', () => {
  expect(shown([account(1, [is(2, 'above', '/a/')]), account(2, [is(1, 'equal', '/b/')])])).toEqual([
    '1 above 2 /a/ /b/',
  ]);
  expect(shown([account(2, [is(1, 'equal', '/b/')]), account(1, [is(2, 'above', '/a/')])])).toEqual([
    '1 above 2 /b/ /a/',
  ]);
});

it('reads what a request states, and names what is wrong with it', () => {
  expect(relationsOf([{ account: 8, is: 'equal' }])).toEqual([{ account: 8, is: 'equal', shared: [] }]);
  expect(() => relationsOf([is(8, 'equal'), is(8, 'above')])).toThrow('relations has the account 8 twice.');
  expect(() => relationsOf([{ account: '8', is: 'equal' }])).toThrow(
    'relations[0].account must be the id of an account.',
  );
});
