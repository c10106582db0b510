import { isOverride, overridingParameter } from '../transport/reserved-headers';
import type { CompiledRequest } from './compiled-template';

/** Headers that a template may not set. */

const REFUSED_FIELDS = new Set(
  'transfer-encoding upgrade expect te trailer keep-alive proxy-authorization proxy-connection'.split(' '),
);

/** The tested target, in all spellings that templates use. */
const OWN_HOST = /^\{\{\s*Hostname\s*\}\}$|^\{\{\s*Host\s*\}\}(?::\{\{\s*Port\s*\}\})?$/;

/** Headers that the client writes itself: the length follows from the body, and each connection ends after its response. */
const isWrittenByClient = (name: string, value: string): boolean =>
  (name === 'host' && OWN_HOST.test(value.trim())) ||
  name === 'content-length' ||
  (name === 'connection' && /^\s*(?:close|keep-alive)\s*$/i.test(value));

export type FieldDecision = 'sent' | 'written by the client' | { readonly refused: string };

/** A plain desktop browser: any further word may be what a template tests. */
const PLAIN_BROWSER =
  /^\s*Mozilla\/5\.0 \((?:Windows NT [\d.]+|Macintosh|X11)(?:; ?(?:Win64|x64|WOW64|Intel Mac OS X [\d_.]+|Linux (?:x86_64|i686|amd64|aarch64)|Ubuntu|Fedora|U|en-US|rv:[\d.]+))*\)(?: (?:AppleWebKit|Gecko|Chrome|Version|Firefox|Safari|Edge?|OPR)\/[\d.]+| \(KHTML, like Gecko\))+\s*$/;

/** A browser name is not part of a test, because our clients have their own names, including those of browsers. */
const isBrowser = (name: string, value: string): boolean => name === 'user-agent' && PLAIN_BROWSER.test(value);

export function decideField(name: string, value: string): FieldDecision {
  if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name)) return { refused: 'is not a valid header name' };
  const lowered = name.toLowerCase();
  if (isWrittenByClient(lowered, value) || isBrowser(lowered, value)) return 'written by the client';
  if (lowered === 'host')
    return { refused: 'may not be set by a check: Host is {{Hostname}}, because only the target is tested' };
  if (lowered === 'connection') return { refused: 'may not be set by a check: Connection is close or keep-alive' };
  if (/^(?:from|x-contact|x-assay-.*)$/.test(lowered))
    return { refused: 'may not be set by a check: it says who tests, and for which job' };
  // Every client may say that it accepts trailers.
  if (lowered === 'te' && value.trim().toLowerCase() === 'trailers') return 'sent';
  return REFUSED_FIELDS.has(lowered) ? { refused: 'may not be set by a check' } : 'sent';
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The part of a request that may change state on the target: its method, or a header or parameter that overrides the method or
 * path.
 */
export const changingPartsOf = ({ method, headers, target, body }: CompiledRequest): string[] => [
  ...(SAFE_METHODS.has(method) ? [] : [method]),
  ...headers.flatMap(([name]) => (isOverride(name) ? [name] : [])),
  ...[target, body].flatMap((text) => overridingParameter(text?.source ?? '') ?? []),
];

export function methodRefusal(method: string): string | null {
  if (!/^[A-Z]{3,20}$/.test(method)) return `${JSON.stringify(method.slice(0, 40))} is not a method in capital letters`;
  return method === 'CONNECT' || method === 'TRACE' ? `${method} is not supported` : null;
}
