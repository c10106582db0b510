import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { operationsTagged } from '../../../platform/http/operation';
import { accountExample, AccountListResponse, AccountResponse } from './account.responses';

const operation = operationsTagged('Accounts');

const ACCOUNTS = '/v1/assets/{asset_id}/accounts';
const ONE = `${ACCOUNTS}/{account_id}` as const;

const { name, role, sign_in, origins } = accountExample;
const bodyExample = { name, role, sign_in, origins, secrets: { password: '…' } };
const account = { description: 'The account.', body: AccountResponse, example: accountExample };

export const listAccounts = operation(`GET ${ACCOUNTS}/`, {
  id: 'listAccounts',
  summary: 'List the accounts of an asset',
  description: 'The accounts with which tests sign in. At most 20 of an asset, and 500 of an organization.',
  role: 'viewer',
  success: {
    description: 'The accounts, by name.',
    body: AccountListResponse,
    example: { accounts: [accountExample] },
  },
});

export const createAccount = operation(`POST ${ACCOUNTS}/`, {
  id: 'createAccount',
  summary: 'Add an account to an asset',
  description:
    'Tests sign in with it once an admin has consented (`signed_in_tests`) and confirmed a `proof`, which a sign-in proposes.',
  role: 'admin',
  body: { example: bodyExample },
  success: {
    ...account,
    status: 201,
    location: ({ asset_id, id }: AccountResponse) => `/v1/assets/${asset_id}/accounts/${id}`,
  },
  errors: [400, 401, 403, 404, 409, 422],
  audit: { operation: 'account.create', resource: 'account' },
});

export const getAccount = operation(`GET ${ONE}`, {
  id: 'getAccount',
  summary: 'Read an account of an asset',
  role: 'viewer',
  entityTag: true,
  success: account,
});

export const changeAccount = operation(`PATCH ${ONE}`, {
  id: 'changeAccount',
  summary: 'Change an account of an asset',
  description:
    'Another `sign_in` or other `origins` remove the secrets and the proof, unless the same request states them again.',
  role: 'admin',
  body: { example: { signed_in_tests: true } },
  ifMatch: 'getAccount',
  success: account,
  errors: [400, 401, 403, 404, 409, 422],
  audit: { operation: 'account.change', resource: 'account', id: 'account_id' },
});

export const deleteAccount = operation(`DELETE ${ONE}`, {
  id: 'deleteAccount',
  summary: 'Delete an account of an asset',
  description: 'With its secrets. Findings that were seen with it stay, and are not retested any more.',
  role: 'admin',
  ifMatch: 'getAccount',
  success: {
    description: 'The account was deleted.',
    body: Acknowledgement,
    example: { code: 200, description: 'Account deleted.', id: 7, success: true },
  },
  audit: { operation: 'account.delete', resource: 'account', id: 'account_id' },
});

export const resumeAccount = operation(`POST ${ONE}/resume`, {
  id: 'resumeAccount',
  summary: 'Resume an account after failed sign-ins',
  role: 'admin',
  success: account,
  audit: { operation: 'account.resume', resource: 'account', id: 'account_id' },
});
