import { BINARY_PROTOCOLS } from './binary-protocols';
import { DATABASE_PROTOCOLS } from './database-protocols';
import { ldap } from './ldap';
import type { Protocol } from './protocol';
import { TEXT_PROTOCOLS } from './text-protocols';

/** All protocols except HTTP, in the order in which they are tried on an unknown port. */
export const PROTOCOLS: readonly Protocol[] = [...TEXT_PROTOCOLS, ...DATABASE_PROTOCOLS, ...BINARY_PROTOCOLS, ldap];
