import type { InsertionPoint } from '../../experiment-record';
import { type FormField, formsOf, isFresh } from '../../page-forms';
import type { Probe } from '../../probe';
import { bodyWithout, valuesOfBody } from '../../request-body';
import type { Forged, SentRequest } from '../../sent-request';
import type { Experiment } from '../experiment';
import { MARK } from '../forms/found-form';
import { pathOf } from '../insertion-point';

/** What browsers say about the page with the form: by default, and with the `Referrer-Policy` of `no-referrer`. */
export const SENDERS: Readonly<Record<string, readonly (readonly [name: string, value: string])[]>> = {
  'foreign origin': [
    ['Origin', 'https://forged.example'],
    ['Referer', 'https://forged.example/'],
  ],
  'no referrer': [['Origin', 'null']],
};
const FETCHED = [
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-Dest', 'document'],
] as const;

const NO_SESSION = 'no account is signed in, so that another site has no session to use';
const ENTERED = 'the cookies of the account were entered, so that their SameSite attribute is not known';
const NO_OTHER_SITE = 'no form of another site can send it without a step before it';
const OTHER_FIELD = 'the form is tested in the first field that takes any text';

/** Hidden values that are the same for everyone, so that another site can send them. */
const isConstant = (field: FormField): boolean =>
  field.type !== 'hidden' || (!isFresh(field) && /^(?:\d{0,3}|[a-z]{1,12}(?:[_-][a-z]{1,12})?)$/i.test(field.value));

const isFreshPair = ([name, value]: readonly [string, string]): boolean =>
  isFresh({ name, value, type: 'hidden', about: '' });

function withoutTokensInQuery(path: string): string {
  const query = new URLSearchParams(path.slice(pathOf(path).length));
  const kept = [...query].filter((pair) => !isFreshPair(pair));
  return kept.length === 0 ? pathOf(path) : `${pathOf(path)}?${new URLSearchParams(kept)}`;
}

/** The submission of the form from another site. */
export function forgedFrom(
  { submits, ...request }: SentRequest,
  secret: ReadonlySet<string>,
  as: Forged['as'],
  sender: string,
): SentRequest {
  const type = request.headers?.filter(([name]) => /^content-type$/i.test(name)) ?? [];
  return {
    ...request,
    path: withoutTokensInQuery(request.path),
    headers: [...type, ...(SENDERS[sender] ?? []), ...FETCHED],
    body: bodyWithout(request, secret),
    forged: { as, sender, page: submits?.page ?? null },
  };
}

/** The fields that another site cannot fill in. */
export async function secretFields({ point, probe }: Experiment): Promise<ReadonlySet<string>> {
  const { path, submits } = point.request;
  const page = submits?.page ?? null;
  const forms = page === null ? [] : await formsOf(await probe.requestPage({ path: page, fresh: true }));
  const own = forms.filter(({ action }) => action.pathname === pathOf(path));
  const hidden = own.flatMap(({ fields }) => fields.filter((field) => !isConstant(field)));
  return new Set([...(submits?.fresh ?? []), ...hidden.map(({ name }) => name)]);
}

export const markIn = ({ request }: InsertionPoint): string | undefined => MARK.exec(request.body ?? '')?.[0];

/** Why another site is not tested at this point, or null. One field stands for its form. */
export function obstacleTo(point: InsertionPoint, { session }: Probe): string | null {
  const { request, kind, name } = point;
  const { submits } = request;
  if (session === undefined) return NO_SESSION;
  if (session.isEntered === true) return ENTERED;
  if (kind !== 'form' || submits === undefined || submits.after !== undefined || request.method !== 'POST')
    return NO_OTHER_SITE;
  const first = valuesOfBody(request).find(({ value }) => MARK.test(value));
  return first?.name !== name ? OTHER_FIELD : null;
}

/** The account's own submission says the origin of the site, and takes tokens that the form has gained since. */
export function asOwnSite(point: InsertionPoint, origin: string): InsertionPoint {
  const { headers = [], submits, ...request } = point.request;
  if (submits === undefined) return point;
  const others = headers.filter(([name]) => !/^origin$/i.test(name));
  return {
    ...point,
    request: {
      ...request,
      headers: [...others, ['Origin', origin]],
      submits: { ...submits, mayGainTokens: true },
    },
  };
}
