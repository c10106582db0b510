import { createHash } from 'node:crypto';

/** Credentials of the owner of an organization. They are only valid for the generated data on this machine. */
export function credentialsOf(organizationId: number): { accessKey: string; secret: string; header: string } {
  const digest = createHash('sha256').update(`bench ${organizationId}`).digest();
  const accessKey = `ak_${digest.toString('hex').slice(0, 20)}`;
  const secret = `as_${digest.toString('base64url')}AAAAAA`;
  return { accessKey, secret, header: `Basic ${Buffer.from(`${accessKey}:${secret}`).toString('base64')}` };
}

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
