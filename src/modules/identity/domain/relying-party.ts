import { passkeysUnavailable } from './identity.errors';

/** What passkeys are bound to: browsers use them on no other site. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

const ADDRESS = /^[\d.]+$|^\[/;

/** Browsers have passkeys only for names with TLS, and for localhost. */
export function relyingPartyOf(portal: string): RelyingParty {
  const { protocol, hostname, origin } = new URL(portal);
  const isUsable = hostname === 'localhost' || (protocol === 'https:' && !ADDRESS.test(hostname));
  if (!isUsable) throw passkeysUnavailable(origin);
  return { id: hostname, origin };
}
