import { hash, hashSync, verify } from '@node-rs/argon2';

/** Parameters that OWASP recommends: 19 MiB of memory and two passes. It runs in a thread. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const normalized = (password: string): string => password.normalize('NFKC');

/** Argon2id, because people choose guessable passwords. API secrets are random and use SHA-256. */
export const hashPassword = (password: string): Promise<string> => hash(normalized(password), parameters);

let dummyHash: string | undefined;

/** Takes the same time if there is no hash, so that the time does not show whether a user exists or has a password. */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  dummyHash ??= hashSync('no such user', parameters);
  const matches = await verify(passwordHash ?? dummyHash, normalized(password));
  return matches && passwordHash !== null;
}
