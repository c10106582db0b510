import type { Statement } from '../../host-seen';

const URL = 'https://www.example.com/';

export const answer = (
  headers: readonly (readonly [string, string])[],
  body = '',
  iconHash?: number,
): Extract<Statement, { kind: 'http' }> => ({
  kind: 'http',
  url: URL,
  status: 200,
  headers,
  body,
  ...(iconHash === undefined ? {} : { iconHash }),
});

export const header = (name: string, value: string): Statement => answer([[name, value]]);
export const server = (value: string): Statement => header('Server', value);
export const poweredBy = (value: string): Statement => header('X-Powered-By', value);
export const cookie = (name: string): Statement => header('Set-Cookie', `${name}=0123456789abcdef; path=/; HttpOnly`);
export const page = (body: string): Statement => answer([], body);
export const generator = (text: string): Statement =>
  page(`<!doctype html><html><head><meta name="generator" content="${text}"><title>A site</title></head>`);
export const script = (address: string): Statement =>
  page(`<html><head><script type="text/javascript" src="${address}"></script></head>`);
export const style = (address: string): Statement => page(`<link rel="stylesheet" href="${address}">`);
export const greeting = (service: string, text: string): Statement => ({
  kind: 'greeting',
  service,
  text,
  source: `greeting of ${service}`,
});
