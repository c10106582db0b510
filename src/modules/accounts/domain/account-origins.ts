import { invalid } from '../../../kernel/domain-error';
import { formatUrlHost, hostOf, portOf, requireWebUrl } from '../../../kernel/web-url';

/** The only scheme, host and port to which the credentials and sessions of an account go. */
export interface AccountOrigin {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
}

export const MAX_ORIGINS = 10;

/** As it is stored: always with its port. */
export const originText = ({ scheme, host, port }: AccountOrigin): string =>
  `${scheme}://${formatUrlHost(host)}:${port}`;

/** Throws an error that names the entry. */
export function parseOrigin(text: string): AccountOrigin {
  const url = requireWebUrl(text, 'origins');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw invalid(
      `origins must be a scheme, a host and a port alone, such as https://example.com:8443, and ${text} has more.`,
    );
  return { scheme: url.protocol === 'http:' ? 'http' : 'https', host: hostOf(url), port: portOf(url) };
}

/** In canonical form, each once. */
export const canonicalOrigins = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => originText(parseOrigin(text)))),
];
