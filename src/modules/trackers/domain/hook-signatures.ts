import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TrackerKind } from './tracker-vocabulary';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const textIn = (headers: Headers, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** How each kind shows that a message is its own, and names the message. */
const SIGNATURES: Readonly<
  Record<TrackerKind, { readonly header: string; readonly id: string; readonly isToken?: true }>
> = {
  jira: { header: 'x-hub-signature', id: 'x-atlassian-webhook-identifier' },
  github: { header: 'x-hub-signature-256', id: 'x-github-delivery' },
  gitlab: { header: 'x-gitlab-token', id: 'x-gitlab-event-uuid', isToken: true },
};

/** Of two texts of any length, in a time that says nothing about them. */
const isSame = (one: string, other: string): boolean => {
  const digest = (text: string) => createHmac('sha256', 'length').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
};

/** GitLab sends the secret itself; the others sign the bytes of the body with it. */
export function isSigned(kind: TrackerKind, headers: Headers, body: Buffer, secret: string): boolean {
  const { header, isToken } = SIGNATURES[kind];
  const expected = isToken === true ? secret : `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return isSame(textIn(headers, header), expected);
}

/** Null if the tracker names none. */
export const deliveryIdOf = (kind: TrackerKind, headers: Headers): string | null =>
  textIn(headers, SIGNATURES[kind].id).slice(0, 200) || null;
