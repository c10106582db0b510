import { isIP } from 'node:net';
import { z } from 'zod';
import { integer, secretKey } from './common-fields';
import { postgresUrl } from './postgres-hosts';

/** With the label of a call it must fit into a name of 253 characters. */
const callbackDomain = z
  .string()
  .transform((text) => text.toLowerCase())
  .refine(
    (text) => text.length <= 150 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(text),
    'must be a domain of its own for the listener, such as calls.example.com',
  );

const publicAddresses = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )
  .refine(
    (listed) => listed.every((text) => isIP(text) !== 0) && [4, 6].every((family) => count(listed, family) <= 3),
    'must be at most three IPv4 and three IPv6 addresses, such as 192.0.2.7,2001:db8::7',
  );

const count = (listed: readonly string[], family: number): number =>
  listed.filter((one) => isIP(one) === family).length;

/** Of the listener of callbacks. */
export const callbackFields = {
  CALLBACK_DOMAIN: callbackDomain.optional(),
  CALLBACK_KEY: secretKey.optional(),
  CALLBACK_DATABASE_URL: postgresUrl.optional(),
  CALLBACK_ADDRESSES: publicAddresses.default([]),
  CALLBACK_HOST: z.string().min(1).default('0.0.0.0'),
  CALLBACK_DNS_PORT: integer(0, 65_535).default(53),
  CALLBACK_HTTP_PORT: integer(0, 65_535).default(80),
  CALLBACK_HTTPS_PORT: integer(0, 65_535).default(443),
  CALLBACK_CERTIFICATE: z.string().min(1).optional(),
  CALLBACK_CERTIFICATE_KEY: z.string().min(1).optional(),
};

type Key = 'CALLBACK_DOMAIN' | 'CALLBACK_KEY' | 'CALLBACK_CERTIFICATE' | 'CALLBACK_CERTIFICATE_KEY';

/** Keys that need each other. */
export function callbackProblems(given: { readonly [K in Key]?: string | undefined }): (readonly [Key, string])[] {
  const problems: (readonly [Key, string])[] = [];
  if ((given.CALLBACK_DOMAIN === undefined) !== (given.CALLBACK_KEY === undefined))
    problems.push([
      'CALLBACK_KEY',
      'be set together with CALLBACK_DOMAIN, to 32 random bytes in base64 that no other key is',
    ]);
  if ((given.CALLBACK_CERTIFICATE === undefined) !== (given.CALLBACK_CERTIFICATE_KEY === undefined))
    problems.push(['CALLBACK_CERTIFICATE', 'be set together with CALLBACK_CERTIFICATE_KEY']);
  return problems;
}
