import type { Field } from './client-identity';

/** They say who asks, which host, and how long a request is. The engine alone writes them, whatever a request states. */
const RESERVED =
  /^(?:host|from|x-contact|x-assay-.*|content-length|connection|keep-alive|proxy-.*|trailer|transfer-encoding|upgrade)$/i;

/** They name a client. A payload of ours may be there, but no document of a target may name somebody else. */
const IDENTITY = /^(?:user-agent|forwarded|x-forwarded-.*|x-real-ip)$/i;

export const isReserved = (name: string): boolean => RESERVED.test(name);

/** What a document of others (of an API, a HAR, a form, an import) may state of a request. */
export const foreignHeaders = (headers: readonly Field[]): Field[] =>
  headers.filter(([name]) => !isReserved(name) && !IDENTITY.test(name));
