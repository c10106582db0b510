import type { Field } from './client-identity';

/** They say who asks, which host, and how long a request is. The engine alone writes them, whatever a request states. */
const RESERVED =
  /^(?:host|from|x-contact|x-assay-.*|content-length|connection|keep-alive|proxy-.*|trailer|transfer-encoding|upgrade)$/i;

/** They name a client. A payload of ours may be there, but no document of a target may name somebody else. */
const IDENTITY =
  /^(?:user-agent|via|forwarded|x-(?:original-)?forwarded(?:-.*)?|x-(?:real|client|cluster-client|remote|originating)-ip|x-remote-addr|(?:(?:true-|fastly-)?client|cf-connecting)-ip)$/i;

/** With them a server takes the request for one of another method or path. */
const OVERRIDE = /^(?:x-http-method(?:-override)?|x-method-override|x-original-url|x-rewrite-url)$/i;
const OVERRIDING_PARAMETER =
  /(?:^|[?&;])((?:_method|x-http-method(?:-override)?)(?:\[\w{0,20}\])?=(?!(?:get|head)?(?:[&#]|$))[^&#\s]{0,40})/i;

export const isReserved = (name: string): boolean => RESERVED.test(name);

export const namesClient = (name: string): boolean => IDENTITY.test(name);

export const isOverride = (name: string): boolean => OVERRIDE.test(name);

/** The parameter of a query or a form that makes it a request of a method that may change state; null without one. */
export const overridingParameter = (text: string): string | null =>
  OVERRIDING_PARAMETER.exec(
    text.replace(/%([2-7][\da-f])/gi, (_all, code) => String.fromCharCode(Number.parseInt(code, 16))),
  )?.[1] ?? null;

/** What a person may name for a request of ours. */
export const isOwnHeader = (name: string): boolean =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !isReserved(name) && !namesClient(name) && !isOverride(name);

/** What a document of others (of an API, a HAR, a form, an import) may state of a request. */
export const foreignHeaders = (headers: readonly Field[]): Field[] => headers.filter(([name]) => isOwnHeader(name));
