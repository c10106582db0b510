import type { Role } from '../../kernel/role';
import { Caller, type CallerFacts } from '../api/caller';
import { budgetsOf, counterName, policyName, refusalSentence } from './budget';

const limits = (read: number) => ({ read, write: 120, launch: 30, retest: 60, import: 10 });
const limitsOf = (organizationId: number | undefined) => limits(organizationId === 7 ? 1_000 : 600);

interface Facts {
  readonly organizations?: readonly number[];
  readonly limitedTo?: number;
  readonly integratorId?: number;
}

function caller({ organizations = [], limitedTo, integratorId }: Facts): Caller {
  const key = {
    id: 5,
    accessKey: 'ak_5',
    label: 'test',
    scopes: ['write'] as const,
    organizationId: limitedTo ?? null,
    expires: null,
  };
  const facts: CallerFacts = {
    userId: 3,
    email: 'olga@example.com',
    name: null,
    integrator: integratorId === undefined ? null : { id: integratorId, name: 'Fabrikam', machineEvents: false },
    memberships: new Map(organizations.map((id): [number, Role] => [id, 'member'])),
    key,
  };
  return new Caller(facts);
}

const countersOf = (facts: Facts, inPath?: number): (readonly [string, number])[] =>
  budgetsOf(caller(facts), 'read', inPath, limitsOf).map((budget) => [counterName(budget), budget.limit] as const);

describe('besides that of its key, a request uses the budget', () => {
  it('of the only organization of the user', () => {
    expect(countersOf({ organizations: [1] })).toEqual([
      ['key:5:reads', 600],
      ['organization:1:reads', 2_400],
    ]);
  });

  it('of the organization of the key, whatever the path names', () => {
    expect(countersOf({ organizations: [1], limitedTo: 1 }, 2)[1]).toEqual(['organization:1:reads', 2_400]);
    expect(countersOf({ integratorId: 4, limitedTo: 7 }, 2)).toEqual([
      ['key:5:reads', 1_000],
      ['organization:7:reads', 4_000],
    ]);
  });

  it('of the organization in the path, if the user is a member of several', () => {
    expect(countersOf({ organizations: [1, 2] }, 2)[1]).toEqual(['organization:2:reads', 2_400]);
  });

  it('of the user without such an organization, so that more keys are not more budgets', () => {
    expect(countersOf({ organizations: [1, 2] })[1]).toEqual(['user:3:reads', 2_400]);
    expect(countersOf({})[1]).toEqual(['user:3:reads', 2_400]);
  });

  it('of its integrator', () => {
    expect(countersOf({ integratorId: 4 }, 2)[1]).toEqual(['integrator:4:reads', 2_400]);
  });

  it('never of an organization that the user is no member of', () => {
    expect(countersOf({ organizations: [1] }, 2)[1]).toEqual(['organization:1:reads', 2_400]);
    expect(countersOf({ organizations: [1, 3] }, 2)[1]).toEqual(['user:3:reads', 2_400]);
    expect(countersOf({ organizations: [1, 3] }, Number.NaN)[1]).toEqual(['user:3:reads', 2_400]);
  });

  it('of the organization in the path, while that of its key is the highest of its organizations', () => {
    expect(countersOf({ organizations: [1, 7] }, 1)).toEqual([
      ['key:5:reads', 1_000],
      ['organization:1:reads', 2_400],
    ]);
  });
});

it('a refusal says which limit was reached, whose it is, and when to try again', () => {
  const [ofKey, ofAll] = budgetsOf(caller({ organizations: [1] }), 'launch', undefined, limitsOf);
  expect(refusalSentence(ofKey, 1)).toBe(
    'The limit of 30 launches a minute for this API key is reached. Try again in 1 second.',
  );
  expect(refusalSentence(ofAll, 42)).toBe(
    'The limit of 120 launches a minute for all API keys of organization 1 together is reached. Try again in 42 seconds.',
  );
  expect([policyName(ofKey), policyName(ofAll)]).toEqual(['launches', 'organization-launches']);
});
