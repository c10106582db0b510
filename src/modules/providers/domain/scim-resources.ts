import type { ProvisionedUser } from '../../identity';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const USER = `${CORE}:User`;
export const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
export const SCIM_TYPE = 'application/scim+json';
export const SCIM_PATH = '/scim/v2';

export interface ScimUser {
  readonly schemas: readonly string[];
  readonly id: string;
  readonly meta: { readonly location: string };
}

/** The name of a member whom the provider has removed is not shown: it may have been changed elsewhere. */
export function presentScimUser(
  { userId, email, name, externalId, role, created }: ProvisionedUser,
  apiUrl: string,
): ScimUser {
  const isShown = role !== null && name !== null;
  const user = {
    schemas: [USER],
    id: String(userId),
    ...(externalId !== null && { externalId }),
    userName: email,
    ...(isShown && { name: { formatted: name }, displayName: name }),
    emails: [{ value: email, type: 'work', primary: true }],
    active: role !== null,
    meta: {
      resourceType: 'User',
      created: created.toISOString(),
      location: `${apiUrl}${SCIM_PATH}/Users/${userId}`,
    },
  };
  return user;
}

export const listResponse = (resources: readonly object[], totalResults = resources.length, startIndex = 1) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

const no = { supported: false };

export const serviceProviderConfig = {
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: no,
  sort: no,
  etag: no,
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of the page Single sign-on, which an owner creates.',
      primary: true,
    },
  ],
};

export const userResourceType = {
  schemas: [`${CORE}:ResourceType`],
  id: 'User',
  name: 'User',
  endpoint: '/Users',
  schema: USER,
  schemaExtensions: [],
};

const attribute = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'immutable',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});

export const userSchema = {
  schemas: [`${CORE}:Schema`],
  id: USER,
  name: 'User',
  description: 'A member of the organization. Names and addresses of existing users are not changed.',
  attributes: [
    attribute('userName', { required: true, uniqueness: 'server' }),
    attribute('externalId', { caseExact: true, mutability: 'readWrite' }),
    attribute('displayName'),
    attribute('name', { type: 'complex', subAttributes: [attribute('formatted')] }),
    attribute('emails', {
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
    }),
    attribute('active', { type: 'boolean', mutability: 'readWrite' }),
  ],
};
