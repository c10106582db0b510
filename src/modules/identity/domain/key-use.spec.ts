import type { KeyScope } from '../../../platform/api/caller';
import type { KeyUse } from '../../../platform/auth/authenticator';
import { narrowerScopes } from './key-use';

const SINCE = new Date('2026-01-01T00:00:00Z');
const [RECENT, OLD] = ['2026-02-01T00:00:00.000Z', '2025-12-01T00:00:00.000Z'];

it.each<[string, string, string | undefined]>([
  ['write', 'read', 'read'],
  ['write', 'read,ci', 'read,ci'],
  ['write', 'poll', 'read'],
  ['write', 'poll,ci', 'ci'],
  ['write', 'poll,read', 'read'],
  ['write', 'write,read', undefined],
  ['write', '', undefined],
  ['read,write', 'read', 'read'],
  ['read,ci', 'read', 'read'],
  ['read,ci', 'poll', 'ci'],
  ['read,ci', 'read,ci', undefined],
  ['read', 'read', undefined],
  ['read', 'poll', undefined],
  ['ci', 'poll', undefined],
])('a key with %s that was used for "%s" needs %s', (scopes, uses, expected) => {
  const used = Object.fromEntries(uses.split(',').map((use) => [use, RECENT]));
  const unused = { write: OLD, read: OLD, ci: OLD, ...used } as Record<KeyUse, string>;
  expect(narrowerScopes(scopes.split(',') as KeyScope[], unused, SINCE)?.join()).toBe(expected);
});
