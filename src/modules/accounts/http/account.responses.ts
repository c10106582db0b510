import type { Caller } from '../../../platform/api/caller';
import { presented, ResponseField } from '../../../platform/api/response-field';
import { type AssetAccount, LAUNCH_ROLES, SIGN_IN_STATES } from '../data/asset-account.entity';
import { RELATION_KINDS } from '../domain/account-relations';
import { presentedProof, presentedRecipe } from '../domain/sign-in-recipe';

export class SignInResponse {
  @ResponseField.string({ enum: SIGN_IN_STATES })
  status!: string;

  @ResponseField.instant()
  started!: string;

  @ResponseField.string({ nullable: true, description: 'Why it ended in ERROR.' })
  error!: string | null;

  @ResponseField.object({
    nullable: true,
    description:
      'What it did, without secrets: `result`, `reason`, `steps` with what was recognised, the pages seen with and without the session, `proposals` of proofs, and the `recorded` sign-in of a HAR.',
  })
  report!: object | null;
}

export class AccountRelationResponse {
  @ResponseField.integer({ description: 'The id of another account of the asset.' })
  account!: number;

  @ResponseField.string({ enum: RELATION_KINDS })
  is!: string;

  @ResponseField.strings({ description: 'Paths that both may request on purpose.' })
  shared!: string[];
}

export class AccountResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.integer()
  asset_id!: number;

  @ResponseField.string()
  name!: string;

  @ResponseField.string({ description: 'Its role in the application, such as customer.' })
  role!: string;

  @ResponseField.object({ description: 'How it signs in, without secrets.' })
  sign_in!: object;

  @ResponseField.strings({ description: 'The only origins to which its credentials and sessions are sent.' })
  origins!: string[];

  @ResponseField.boolean({
    description: 'Whether its secrets are stored. A change of its sign-in or origins removes them.',
  })
  has_secrets!: boolean;

  @ResponseField.object({ nullable: true, description: 'How to see whether a session is valid.' })
  proof!: object | null;

  @ResponseField.string({ enum: LAUNCH_ROLES, description: 'The lowest role that may launch jobs with it.' })
  launch_role!: string;

  @ResponseField.boolean({ description: 'Whether keys with the scope ci alone may launch with it.' })
  ci_keys!: boolean;

  @ResponseField.boolean({ description: 'Whether an admin consents to signed-in tests with it.' })
  signed_in_tests!: boolean;

  @ResponseField.string({ nullable: true, description: 'The admin who consented.' })
  consented_by!: string | null;

  @ResponseField.instant({ nullable: true })
  consented_at!: string | null;

  @ResponseField.instant({
    nullable: true,
    description: 'Since two sign-ins in a row failed, nothing signs in until an admin resumes it.',
  })
  stopped_at!: string | null;

  @ResponseField.instant({ nullable: true, description: 'When a session was last proved to be valid.' })
  last_proved!: string | null;

  @ResponseField.instant({ nullable: true, description: 'When a session last could not be proved.' })
  last_refused!: string | null;

  @ResponseField.string({ nullable: true, description: 'Why it could not be proved.' })
  refusal!: string | null;

  @ResponseField.one(SignInResponse, { nullable: true, description: 'The last sign-in that an admin asked for.' })
  last_sign_in!: SignInResponse | null;

  @ResponseField.strings({
    nullable: true,
    description: 'What belongs to it alone, as an admin has typed it. Null for those who may not change accounts.',
  })
  own_values!: string[] | null;

  @ResponseField.integer({ description: 'The number of `own_values`.' })
  own_value_count!: number;

  @ResponseField.day({ nullable: true, description: 'The last day of its header or cookie.' })
  expires!: string | null;

  @ResponseField.list(AccountRelationResponse, { description: 'The accounts of the asset that jobs compare it with.' })
  relations!: AccountRelationResponse[];

  @ResponseField.instant()
  created!: string;
}

export class AccountListResponse {
  @ResponseField.list(AccountResponse)
  accounts!: AccountResponse[];
}

const mayChange = ({ organizationId }: AssetAccount, caller: Caller): boolean =>
  caller.hasRole('admin', organizationId);

/** With the names of the API. What pages behind the sign-in say is for those who keep accounts. */
const reportOf = (account: AssetAccount, caller: Caller): object | null => {
  const { signInReport } = account;
  if (signInReport === null) return null;
  const { pagesIn, pagesOut, proposals, recorded, ...rest } = signInReport;
  return {
    ...rest,
    ...(mayChange(account, caller) && { pages_in: pagesIn, pages_out: pagesOut }),
    ...(mayChange(account, caller) && recorded !== undefined && { recorded: presentedRecipe(recorded) }),
    proposals: proposals.map(({ proof, reason }) => ({ proof: presentedProof(proof), reason })),
  };
};

const signInOf = (account: AssetAccount, caller: Caller): SignInResponse | null =>
  account.signInStatus === null
    ? null
    : {
        status: account.signInStatus,
        started: (account.signInStarted ?? account.created).toISOString(),
        error: account.signInError,
        report: reportOf(account, caller),
      };

export const presentAccount = (account: AssetAccount, caller: Caller) =>
  presented(AccountResponse, account, {
    sign_in: presentedRecipe(account.recipe),
    own_values: mayChange(account, caller) ? account.ownValues : null,
    own_value_count: account.ownValues.length,
    relations: account.relations.map(({ account: other, is, shared }) => ({ account: other, is, shared: [...shared] })),
    proof: account.proof && presentedProof(account.proof),
    signed_in_tests: account.consentedAt !== null,
    last_proved: account.provedAt?.toISOString() ?? null,
    last_refused: account.refusedAt?.toISOString() ?? null,
    last_sign_in: signInOf(account, caller),
  });

export const accountExample = {
  id: 7,
  asset_id: 3,
  name: 'customer A',
  role: 'customer',
  sign_in: { kind: 'form', page: 'https://shop.example.com/login', user_name: 'ada' },
  origins: ['https://shop.example.com:443'],
  has_secrets: true,
  proof: { url: 'https://shop.example.com/account', text: 'Sign out', only: 'in' },
  launch_role: 'admin',
  ci_keys: false,
  signed_in_tests: true,
  consented_by: 'Ada Ito',
  consented_at: '2026-01-31T12:00:00.000Z',
  stopped_at: null,
  last_proved: '2026-01-31T12:20:00.000Z',
  last_refused: null,
  refusal: null,
  last_sign_in: null,
  own_values: ['ada@example.com'],
  own_value_count: 1,
  expires: null,
  relations: [{ account: 8, is: 'equal', shared: ['/help/'] }],
  created: '2026-01-31T11:00:00.000Z',
} satisfies AccountResponse;
