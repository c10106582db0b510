import type { KnownLimit } from './known-limits';
import type { Truth } from './truth';
import type { Handler, NoResponse, SiteRequest, SiteResponse } from './web-messages';
import { type Weakness, withFields } from './web-weaknesses';

/** A state of a site after the weakness was recorded. */
export interface WebState {
  readonly name: string;
  readonly truth: Truth | ((weakness: Weakness) => Truth);
  /** The weaknesses it applies to; all without it. */
  readonly on?: (weakness: Weakness) => boolean;
  /** Of a row whose truth is a known limit. */
  readonly limit?: KnownLimit;
  /** A change that people make when they fix something. */
  readonly isFix?: boolean;
  readonly speaksHttp2?: boolean;
  /** Only requests that are seconds apart can show it, as with the default settings of the engine. */
  readonly needsSeconds?: boolean;
  /** The host has an IPv6 address, too. */
  readonly hasVersion6?: boolean;
  /** The handler of a site that begins to be in this state. */
  readonly begin: (weakness: Weakness) => Handler;
}

type More = Omit<Partial<WebState>, 'name' | 'begin'>;
export type Condition = (request: SiteRequest) => boolean;

export const isFile = ({ kind }: Weakness): boolean => kind === 'file';
export const isPage = ({ kind }: Weakness): boolean => kind === 'page';
export const isYaml = ({ yaml }: Weakness): boolean => yaml !== undefined;
export const hasField = ({ field }: Weakness): boolean => field !== undefined;
export const isOverHttps = ({ isHttps }: Weakness): boolean => isHttps === true;

export const field = (request: SiteRequest, name: string): string => request.fields.get(name) ?? '';
export const userAgent = (request: SiteRequest): string => field(request, 'user-agent');
export const isBrowser: Condition = (request) => userAgent(request).includes('Mozilla');

/** The weakness is shown where the condition holds. */
export const shownIf = (name: string, condition: Condition, more: More = {}): WebState =>
  counting(name, () => condition, more);

/** The same with a condition that remembers earlier requests. */
export const counting = (name: string, begin: (weakness: Weakness) => Condition, more: More = {}): WebState => ({
  name,
  truth: more.limit === undefined ? 'hidden' : 'known limit',
  begin: (weakness) => {
    const isShown = begin(weakness);
    return (request) => (isShown(request) ? weakness.weak(request) : weakness.fixed(request));
  },
  ...more,
});

/** What the weakness is about is answered so, and all else as before. */
export const answered = (
  name: string,
  truth: WebState['truth'],
  answer: (weakness: Weakness, request: SiteRequest) => SiteResponse | NoResponse,
  more: More = {},
): WebState => ({
  name,
  truth,
  begin: (weakness) => (request) => (weakness.concerns(request) ? answer(weakness, request) : weakness.fixed(request)),
  ...more,
});

/** The fixed site with fields in the response that the weakness is about, as of a cache. */
export const marked = (name: string, truth: Truth, fields: () => SiteResponse['fields'], more: More = {}): WebState =>
  answered(name, truth, (weakness, request) => withFields(weakness.fixed(request), fields()), more);

/** Every response of the fixed site is changed. */
export const everywhere = (
  name: string,
  truth: WebState['truth'],
  change: (response: SiteResponse, request: SiteRequest, weakness: Weakness) => SiteResponse | NoResponse,
  more: More = {},
): WebState => ({
  name,
  truth,
  begin: (weakness) => (request) => change(weakness.fixed(request), request, weakness),
  ...more,
});
