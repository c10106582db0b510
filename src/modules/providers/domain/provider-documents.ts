import { isRecord, type JsonRecord } from '../../../kernel/is-record';
import { ProviderFailure } from './provider.errors';

/** Of a document that describes a provider or its keys. Those of Google, Entra ID, Okta and Keycloak have less than 20 KB. */
export const MAX_DOCUMENT_BYTES = 65_536;
/** Of what is kept of it: the keys of Entra ID have 5 KB then. */
const MAX_KEPT_CHARACTERS = 16_384;
const MAX_KEYS = 50;

const TEXTS = ['issuer', 'authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'];
const LISTS = [
  'scopes_supported',
  'token_endpoint_auth_methods_supported',
  'id_token_signing_alg_values_supported',
  'userinfo_signing_alg_values_supported',
];
const SENDS_ISSUER = 'authorization_response_iss_parameter_supported';
const KEY_TYPES: ReadonlySet<unknown> = new Set(['RSA', 'EC', 'OKP']);
/** Of a public key. Certificates are most of what providers send. */
const KEY_MEMBERS = ['kty', 'kid', 'use', 'alg', 'crv', 'n', 'e', 'x', 'y'];

const isText = (value: unknown): value is string => typeof value === 'string';

const textsOf = (record: JsonRecord, names: readonly string[]): [string, string][] =>
  names.flatMap((name) => {
    const value = record[name];
    return isText(value) ? [[name, value] as [string, string]] : [];
  });

/** What the protocol uses of a discovery document. */
export function metadataOf(document: unknown): object {
  if (!isRecord(document)) return {};
  const lists = LISTS.flatMap((name) => {
    const value = document[name];
    return Array.isArray(value) ? [[name, value.filter(isText)] as const] : [];
  });
  return {
    ...Object.fromEntries([...textsOf(document, TEXTS), ...lists]),
    [SENDS_ISSUER]: document[SENDS_ISSUER] === true,
  };
}

/** The public keys for signatures. */
export function keysOf(document: unknown): { readonly keys: readonly object[] } {
  const all: readonly unknown[] = isRecord(document) && Array.isArray(document['keys']) ? document['keys'] : [];
  const signing = all.filter(
    (key): key is JsonRecord =>
      isRecord(key) &&
      KEY_TYPES.has(key['kty']) &&
      !('d' in key) &&
      (key['use'] === undefined || key['use'] === 'sig') &&
      (key['key_ops'] === undefined || (Array.isArray(key['key_ops']) && key['key_ops'].includes('verify'))),
  );
  return { keys: signing.slice(0, MAX_KEYS).map((key) => Object.fromEntries(textsOf(key, KEY_MEMBERS))) };
}

/** The text of what is kept, of which an entry in memory has at most 100 KB. */
export function keptText(kept: object): string {
  const text = JSON.stringify(kept);
  if (text.length > MAX_KEPT_CHARACTERS)
    throw new ProviderFailure(
      `Its description, or its keys for signatures, have more than ${MAX_KEPT_CHARACTERS} characters.`,
    );
  return text;
}
