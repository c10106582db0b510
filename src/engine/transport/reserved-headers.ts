import type { Field } from './client-identity';

/** Headers that say who asks, which host, and how long a request is. Only the engine writes them, whatever a request states. */
const RESERVED =
  /^(?:host|from|x-contact|x-assay-.*|content-length|connection|keep-alive|proxy-.*|trailer|transfer-encoding|upgrade)$/i;

/** Headers that identify a client. Our payload may be in one, but no document of a target may identify someone else. */
const IDENTITY =
  /^(?:user-agent|via|forwarded|x-(?:original-)?forwarded(?:-.*)?|x-(?:real|client|cluster-client|remote|originating)-ip|x-remote-addr|(?:(?:true-|fastly-)?client|cf-connecting)-ip)$/i;

/** Headers that make a server treat the request as one with another method or path. */
const OVERRIDE = /^(?:x-http-method(?:-override)?|x-method-override|x-original-url|x-rewrite-url)$/i;
const OVERRIDING_PARAMETER =
  /(?:^|[?&;])((?:_method|x-http-method(?:-override)?)(?:\[\w{0,20}\])?=(?!(?:get|head)?(?:[&#]|$))[^&#\s]{0,40})/i;

export const isReserved = (name: string): boolean => RESERVED.test(name);

export const namesClient = (name: string): boolean => IDENTITY.test(name);

export const isOverride = (name: string): boolean => OVERRIDE.test(name);

/** The parameter of a query or form that makes it a request with a state-changing method; null if there is none. */
export const overridingParameter = (text: string): string | null =>
  OVERRIDING_PARAMETER.exec(
    text.replace(/%([2-7][\da-f])/gi, (_all, code) => String.fromCharCode(Number.parseInt(code, 16))),
  )?.[1] ?? null;

/** Whether a person may set the header for requests of the service. */
export const isOwnHeader = (name: string): boolean =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !isReserved(name) && !namesClient(name) && !isOverride(name);

/** The headers that a foreign document (an API description, a HAR, a form, an import) may set. */
export const foreignHeaders = (headers: readonly Field[]): Field[] => headers.filter(([name]) => isOwnHeader(name));
