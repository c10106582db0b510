import type { Request, Response } from 'express';
import { cookie } from './session-cookie';

const NAME = 'notice';
const MAX_LENGTH = 1_000;
const MAX_AGE_MS = 60_000;

type NoticeResponse = Pick<Response, 'cookie' | 'clearCookie'>;

/** A sentence that the next page shows once, after a form has redirected to it. */
export function setNotice(response: NoticeResponse, text: string): void {
  const shown = text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)} …`;
  response.cookie(NAME, shown.toWellFormed(), { httpOnly: true, sameSite: 'lax', path: '/', maxAge: MAX_AGE_MS });
}

export function takeNotice(request: Pick<Request, 'headers'>, response: NoticeResponse): string | undefined {
  const encoded = cookie(request, NAME);
  if (encoded === undefined) return undefined;
  response.clearCookie(NAME, { path: '/' });
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
