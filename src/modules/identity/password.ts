import { hash } from '@node-rs/argon2';

/** Parameters that OWASP recommends: 19 MiB of memory and two passes. It runs in a thread. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Argon2id, because people choose guessable passwords. API secrets are random and use SHA-256. */
export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), parameters);
