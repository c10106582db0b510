import { CookieJar } from './cookie-jar';
import { hasCaptcha } from './firewall-pages';
import { fetchPage, type Page } from './page';
import { type BodyValue, bodyWith, valuesOfBody } from './request-body';
import type { Forged, SentRequest, Submission } from './sent-request';
import { formsOf, isFresh, type PageForm } from './page-forms';
import { type Exchange, ExchangeFailed } from './transport/exchange';
import { type HttpRequest, urlOf } from './transport/http';
import { Recording } from './transport/recording';
import type { Transport, Via } from './transport/transport';
import type { FormNow } from './transport/via-submissions';

/** Sends one request, and follows redirects up to this number. */
type Ask = (request: HttpRequest, cookies: CookieJar | undefined, hops: number) => Promise<Page>;

interface Way {
  readonly ask: Ask;
  readonly cookies: CookieJar | undefined;
  readonly submissions: Via['submissions'];
}

const MOST_STEPS = 3;
const MOST_HOPS = 3;
const GONE = new Set([404, 410]);

const placeOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? url;

const namesOf = (fields: readonly BodyValue[]): string =>
  JSON.stringify([...new Set(fields.map(({ name }) => name))].sort());

/** The forms with this address. */
const formsAt = (forms: readonly PageForm[], request: HttpRequest): PageForm[] =>
  forms.filter(({ action, method }) => method === request.method && placeOf(action.href) === placeOf(urlOf(request)));

/** The hidden tokens that a form has now, and did not have when it was found. */
const gainedBy = ({ fields }: PageForm, { mayGainTokens }: Submission, sent: readonly BodyValue[]): string[] =>
  mayGainTokens === true
    ? fields.filter((one) => isFresh(one) && sent.every(({ name }) => name !== one.name)).map(({ name }) => name)
    : [];

/** Of those with exactly these fields, the one that has most of the values. */
function formLike(forms: readonly PageForm[], submits: Submission, sent: readonly BodyValue[]): PageForm | undefined {
  const names = namesOf(sent);
  const values = new Set(sent.map(({ name, value }) => JSON.stringify([name, value])));
  const shared = ({ fields }: PageForm): number =>
    fields.filter(({ name, value }) => values.has(JSON.stringify([name, value]))).length;
  const ownOf = (form: PageForm): BodyValue[] => {
    const gained = gainedBy(form, submits, sent);
    return form.fields.filter(({ name }) => !gained.includes(name));
  };
  return forms.filter((form) => namesOf(ownOf(form)) === names).sort((one, other) => shared(other) - shared(one))[0];
}

/** Whether they have a box, such as a consent, that they did not have when found. Earlier versions did not keep them. */
function hasMoreBoxes(forms: readonly PageForm[], { unticked }: Submission, sent: readonly BodyValue[]): boolean {
  const known = new Set([...sent.map(({ name }) => name), ...(unticked ?? [])]);
  const boxes = forms.flatMap((form) => form.unticked).filter(({ name }) => !known.has(name));
  return boxes.some(({ isRequired }) => isRequired || unticked !== undefined);
}

/** Ends it like any exchange without a response. */
function refusal(request: HttpRequest, reason: string): ExchangeFailed {
  const exchange: Exchange = new Recording('http', urlOf(request)).end({ code: 'egress', reason });
  return new ExchangeFailed(exchange, { code: 'egress', reason });
}

/** The request of a step, at the place of the one that follows it. */
const stepOf = (next: HttpRequest, { method, path, headers, body }: SentRequest): HttpRequest => ({
  scheme: next.scheme,
  host: next.host,
  port: next.port,
  path,
  ...(method !== undefined && { method }),
  ...(headers !== undefined && { headers }),
  ...(body !== undefined && { body }),
});

/** By the rules of now: the form may do something else than when it was found. */
async function requireAllowed(request: HttpRequest, form: FormNow | null, way: Way): Promise<void> {
  const reason = (await way.submissions?.whyRefused(request, form, way.cookies === undefined)) ?? null;
  if (reason !== null) throw refusal(request, `the form may not be submitted any more: ${reason}`);
}

/** The request with the tokens that its form has now. */
async function filledIn(request: HttpRequest, submits: Submission, way: Way, steps: number): Promise<HttpRequest> {
  const { page, after, fresh } = submits;
  if (page === null && after === undefined) {
    await requireAllowed(request, null, way);
    return request;
  }
  if (steps > MOST_STEPS) throw refusal(request, `its form is behind more than ${MOST_STEPS} steps`);
  const before = after === undefined ? null : stepOf(request, after);
  const source =
    before === null
      ? await way.ask({ ...stepOf(request, { path: page ?? '/' }), method: 'GET' }, way.cookies, MOST_HOPS)
      : await way.ask(
          { ...(await filledIn(before, after?.submits ?? { page: null, fresh: [] }, way, steps + 1)), mayChange: true },
          way.cookies,
          MOST_HOPS,
        );
  const where = page ?? 'the page after its first step';
  const forms = formsAt(await formsOf(source), request);
  if (forms.length === 0) throw refusal(request, `the form is no longer on ${where} (${source.status})`);
  const { headers, body } = request;
  if (typeof body !== 'string') throw refusal(request, 'its body is not that of a form');
  const sent = valuesOfBody({ ...(headers && { headers }), body });
  const form = formLike(forms, submits, sent);
  if (form === undefined || hasMoreBoxes(forms, submits, sent))
    throw refusal(request, `the form on ${where} has other fields than when it was found`);
  // Nothing tells a refusal of the captcha from the result of a submission.
  if (hasCaptcha(source)) throw refusal(request, `${where} has a captcha`);
  await requireAllowed(request, { page: source, action: form.action, fields: form.fields }, way);
  const valueOf = (name: string): string => form.fields.find((field) => field.name === name)?.value ?? '';
  const filled = [...fresh, ...gainedBy(form, submits, sent)].reduce(
    (text, name) => bodyWith({ headers: request.headers, body: text }, name, valueOf(name)),
    body,
  );
  return { ...request, body: filled };
}

/** Deletes what the request has created, if its mark is read at the address that the target named for it. */
async function cleanUp(request: HttpRequest, answer: Page, { ask, cookies, submissions }: Way): Promise<void> {
  const created = submissions?.createdBy(request, answer) ?? null;
  if (created === null) return;
  const at = { ...stepOf(request, { path: created.path }), method: 'GET' };
  const { mark } = created;
  const isThere = async (): Promise<boolean> => {
    const page = mark === null ? null : await ask(at, cookies, 0);
    return page?.status === 200 && page.text.includes(mark ?? '');
  };
  let isGone = false;
  if ((await isThere()) && submissions?.mayDelete(created.path) === true) {
    await ask({ ...at, method: 'DELETE', mayChange: true }, cookies, 0);
    isGone = GONE.has((await ask(at, cookies, 0)).status);
  }
  await submissions?.cleanedUp(request, created.path, isGone);
}

/**
 * Submits a form as a visitor does: reads its page, takes the cookies and tokens of that moment, and sends it while no other form
 * is submitted. An operation of an API is sent alone.
 */
export async function submitted(
  transport: Transport,
  request: HttpRequest,
  submits: Submission,
  via: Via,
  record: (exchange: Exchange) => void,
): Promise<Page> {
  const { submissions, session } = via;
  const ask: Ask = (one, cookies, hops) => fetchPage(transport, one, { hops, reach: 'origin', cookies }, via, record);
  // The session of an account keeps its cookies itself.
  const way: Way = { ask, cookies: session === undefined ? new CookieJar() : undefined, submissions };
  const submit = async (): Promise<Page> => {
    const sent: HttpRequest = { ...(await filledIn(request, submits, way, 0)), mayChange: true };
    const answer = await ask(sent, way.cookies, 0);
    await cleanUp(sent, answer, way);
    return answer;
  };
  return submissions === undefined ? submit() : submissions.alone(submit);
}

/** Sends what a form of another site sends: nothing is read before it, but by a visitor without the account. */
export async function forgedAnswer(
  transport: Transport,
  request: HttpRequest,
  { as, page }: Forged,
  given: Via,
  record: (exchange: Exchange) => void,
): Promise<Page> {
  const isVisitor = as === 'visitor';
  const via = isVisitor ? { ...given, session: undefined } : given;
  const cookies = isVisitor ? new CookieJar() : undefined;
  const ask: Ask = (one, _cookies, hops) => fetchPage(transport, one, { hops, reach: 'origin', cookies }, via, record);
  const submit = async (): Promise<Page> => {
    // The visitor is judged as signed in as well, because it is the form of the account.
    await requireAllowed(request, null, { ask, cookies: undefined, submissions: via.submissions });
    if (isVisitor && page !== null)
      await ask({ ...stepOf(request, { path: page }), method: 'GET' }, cookies, MOST_HOPS);
    return ask({ ...request, isCrossSite: !isVisitor, mayChange: true }, cookies, 0);
  };
  return via.submissions === undefined ? submit() : via.submissions.alone(submit);
}
