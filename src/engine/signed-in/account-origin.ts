import { parseUrl } from '../../kernel/parse-url';
import { type HttpRequest, originOf } from '../transport/http';
import type { Account, AccountOrigins, WebOrigin } from './account';

type Place = Pick<HttpRequest, 'scheme' | 'host' | 'port'>;

export const isOwnOrigin = (origins: AccountOrigins, place: Place): boolean =>
  origins.some((one) => one.scheme === place.scheme && one.host === place.host && one.port === place.port);

/** The request to an absolute address, or null if it is not at one of the origins. */
export function placeAt(origins: AccountOrigins, url: URL): (WebOrigin & { readonly path: string }) | null {
  const own = origins.find((one) => originOf(one) === url.origin);
  if (own === undefined || url.username !== '' || url.password !== '') return null;
  return { ...own, path: `${url.pathname}${url.search}` };
}

/** The place of an address that a field of an account states. */
export function statedPlace({ origins, name }: Account, url: string): WebOrigin & { readonly path: string } {
  const parsed = parseUrl(url);
  const place = parsed && placeAt(origins, parsed);
  if (place === null) throw new Error(`An address of the account "${name}" is at none of its origins.`);
  return place;
}
