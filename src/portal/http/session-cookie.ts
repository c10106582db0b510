import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import type { Config } from '../../platform/config/load-config';

/** 32 random bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

type PortalConfig = Pick<Config, 'PORTAL_URL'>;

export const isSecure = ({ PORTAL_URL }: PortalConfig): boolean => PORTAL_URL?.startsWith('https:') ?? false;

/** With the prefix `__Host-`, browsers refuse a cookie that another host or a page without TLS has set. */
const cookieName = (config: PortalConfig): string => (isSecure(config) ? '__Host-assay' : 'assay');

const optionsFor = (config: PortalConfig): CookieOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  path: '/',
  secure: isSecure(config),
});

/** Between the password and the code of the second factor. */
const challengeName = (config: PortalConfig): string => `${cookieName(config)}-sign-in`;

export function setChallengeCookie(response: Response, config: PortalConfig, token: string, maxAge: number): void {
  response.cookie(challengeName(config), token, { ...optionsFor(config), maxAge });
}

export function clearChallengeCookie(response: Response, config: PortalConfig): void {
  response.clearCookie(challengeName(config), optionsFor(config));
}

/** Of a browser that has begun to sign in through a provider. */
const providerName = (config: PortalConfig): string => `${cookieName(config)}-provider`;

export function setProviderCookie(response: Response, config: PortalConfig, token: string, maxAge: number): void {
  response.cookie(providerName(config), token, { ...optionsFor(config), maxAge });
}

export const providerToken = (request: Pick<Request, 'headers'>, config: PortalConfig): string | undefined =>
  tokenIn(request, providerName(config));

export function setSessionCookie(response: Response, config: PortalConfig, token: string, maxAge: number): void {
  response.cookie(cookieName(config), token, { ...optionsFor(config), maxAge });
}

export function clearSessionCookie(response: Response, config: PortalConfig): void {
  response.clearCookie(cookieName(config), optionsFor(config));
}

/** Of a browser in which a user has signed in before. */
const knownBrowserName = (config: PortalConfig): string => `${cookieName(config)}-browser`;

export function setKnownBrowserCookie(response: Response, config: PortalConfig, token: string, maxAge: number): void {
  response.cookie(knownBrowserName(config), token, { ...optionsFor(config), maxAge });
}

export const knownBrowserToken = (request: Pick<Request, 'headers'>, config: PortalConfig): string | undefined =>
  cookie(request, knownBrowserName(config));

/** The challenge that a passkey of this browser signs. */
const passkeyName = (config: PortalConfig): string => `${cookieName(config)}-passkey`;

export function setPasskeyCookie(response: Response, config: PortalConfig, token: string, maxAge: number): void {
  response.cookie(passkeyName(config), token, { ...optionsFor(config), maxAge });
}

export const passkeyToken = (request: Pick<Request, 'headers'>, config: PortalConfig): string | undefined =>
  cookie(request, passkeyName(config));

const noticeName = (config: PortalConfig): string => `${cookieName(config)}-notice`;

export function setNoticeCookie(response: Response, config: PortalConfig, text: string, maxAge: number): void {
  response.cookie(noticeName(config), text, { ...optionsFor(config), maxAge });
}

export function clearNoticeCookie(response: Response, config: PortalConfig): void {
  response.clearCookie(noticeName(config), optionsFor(config));
}

export const noticeCookie = (request: Pick<Request, 'headers'>, config: PortalConfig): string | undefined =>
  cookie(request, noticeName(config));

/** The value of a cookie; undefined if it is absent or was sent more than once. */
export function cookie({ headers }: Pick<Request, 'headers'>, name: string): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

export const sessionToken = (request: Pick<Request, 'headers'>, config: PortalConfig): string | undefined =>
  tokenIn(request, cookieName(config));

export const challengeToken = (request: Pick<Request, 'headers'>, config: PortalConfig): string | undefined =>
  tokenIn(request, challengeName(config));

function tokenIn(request: Pick<Request, 'headers'>, name: string): string | undefined {
  const token = cookie(request, name);
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** The token for the forms of a session. It is computed from the token of the cookie, which no page contains. */
export const csrfTokenOf = (token: string): string => createHmac('sha256', token).update('csrf').digest('base64url');

export function isSameText(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
