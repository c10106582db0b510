import { shorten } from './clean-text';
import { webUrlOf } from './raw-finding';
import type { SeenTarget } from './scanner-finding';

/** In characters. Evidence shows the head of a message and the start of its body. */
const MAX_SHOWN = 4_000;

/** Decodes only the beginning of a base64 text, because the whole may be far larger than what is shown. */
export function decodeBase64(text: string, limit: number): string {
  const encoded = text.slice(0, Math.ceil(limit / 3) * 8).replace(/\s+/g, '');
  return Buffer.from(encoded.slice(0, Math.ceil(limit / 3) * 4), 'base64').toString('utf8');
}

/** Long enough for the headers of any response, and for a title. */
export const MAX_READ = 20_000;

/** What a scanner's messages show about the target; null without a response. */
export function seenIn(request: string | null, response: string | null): SeenTarget | null {
  if (response === null || !response.startsWith('HTTP/')) return null;
  const [head = '', body = ''] = response.slice(0, MAX_READ).split(/\r?\n\r?\n/, 2);
  const [, server] = /^server:[ \t]*([^\s/]{1,100})/im.exec(head) ?? [];
  const [, title] = /<title[^<>]{0,200}>([^<]{1,300})/i.exec(body) ?? [];
  const [sent = ''] = (request ?? '').slice(0, MAX_READ).split(/\r?\n\r?\n/, 1);
  return {
    // Copies, because thousands are kept at a time and a substring keeps the whole string in memory.
    server: server === undefined ? null : shorten(server.toLowerCase(), MAX_READ),
    title: title === undefined ? null : shorten(title.replace(/\s+/g, ' ').trim(), MAX_READ),
    isSignedIn: /^(?:authorization|cookie):[ \t]*\S/im.test(sent),
  };
}

/** The method and URL of a raw HTTP request. The request has no scheme, so that of `namedUrl` is used. */
export function requestOf(raw: string | null, namedUrl: string | null): { method: string; url: string } | null {
  const [, method = '', target = ''] = /^([A-Z]{3,10}) (\S{1,4096}) HTTP\/[\d.]+/.exec(raw ?? '') ?? [];
  if (method === '') return null;
  const absolute = webUrlOf(target);
  if (absolute !== null) return { method, url: absolute.href };
  const base = webUrlOf(namedUrl);
  return base === null || !target.startsWith('/') ? null : { method, url: `${base.origin}${target}` };
}

export const shownMessage = (raw: string | null): string | null => raw?.slice(0, MAX_SHOWN) ?? null;
