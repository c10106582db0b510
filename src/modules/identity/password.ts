import { hash } from '@node-rs/argon2';

/** OWASP's second choice of parameters: 19 MiB and two passes, some tens of milliseconds, on a thread of its own. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Argon2id, for what people remember. API secrets have bits enough of their own and take a plain hash. */
export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), parameters);
