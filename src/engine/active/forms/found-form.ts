import type { Page } from '../../page';
import { isRecord } from '../../../kernel/is-record';
import { recordIn } from '../../json-record';
import { multipartBody, saidInBody, urlencodedBody } from '../../request-body';
import type { SentRequest, Submission } from '../../sent-request';
import { replacedBy } from '../../may-submit';
import { type FormField, formsOf, isFresh, type PageForm } from '../../page-forms';
import { randomWord } from '../../twins';
import type { FoundRequest } from '../crawl/found-request';
import { usualValue } from '../crawl/form-values';
import type { Described } from '../../may-change';
import { pathOf } from '../insertion-point';

/** Marks what a test has entered, so that people find it. */
export const MARK = /assay[b-df-hj-np-tv-xz]{9}/;

/** A form or a writing operation, with the request that submits it. */
export interface FoundForm {
  readonly request: SentRequest & { readonly submits: Submission };
  readonly source: 'form' | 'openapi';
  readonly label: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly described?: Described;
  /** Why it is left out whatever its words are, or null. */
  readonly obstacle: string | null;
}

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

const KEPT = new Set(['hidden', 'submit', 'select', 'checkbox', 'radio']);
const NOT_TYPED = new Set([...KEPT, 'button', 'image', 'reset']);
/** Browsers treat types that they do not know as text. */
const isTyped = ({ type }: FormField): boolean => !NOT_TYPED.has(type);

/** What a visitor could enter there, with the mark where any text will do. */
function plausible({ name, type, about }: FormField, mark: string): string {
  const said = `${name} ${about}`;
  if (type === 'password') return `Assay-1-${mark}`;
  if (type === 'email' || /e-?mail/i.test(said)) return `${mark}@example.com`;
  const usual = usualValue(name, type);
  if (usual === 'https://www.example.com/') return `${usual}${mark}`;
  return usual === 'test' ? mark : usual;
}

/** Fields that are filled in show what exists, which submitting them would replace. */
const isFilledIn = (field: FormField): boolean => isTyped(field) && field.value.trim() !== '';

const NOTHING_TO_ENTER = 'it has no field to enter something, so that it is a command';

function obstacleOf({ fields, takesFiles }: PageForm, page: Page): string | null {
  if (fields.some(isFilledIn)) return 'its fields are filled in, so that it changes what exists';
  if (takesFiles && !fields.some(isTyped)) return 'it uploads a file';
  if (!fields.some(isTyped)) return NOTHING_TO_ENTER;
  return /captcha|turnstile/i.test(page.text.slice(0, 300_000)) ? 'its page has a captcha' : null;
}

const valueFor = (field: FormField, mark: string): string => {
  if (isFresh(field)) return '';
  return KEPT.has(field.type) ? field.value : plausible(field, mark);
};

/** `alike` are the forms of the page with its address: a later submission notices the boxes that they have gained. */
function requestOf(
  form: PageForm,
  alike: readonly PageForm[],
  request: SentRequest,
  mark: string,
): FoundForm['request'] {
  const fields = form.fields.map((field) => ({ name: field.name, value: valueFor(field, mark) }));
  const boundary = `----${mark}`;
  const isMultipart = form.encoding === MULTIPART;
  const body = isMultipart ? multipartBody(fields, boundary) : urlencodedBody(fields);
  const isStep = request.submits !== undefined;
  return {
    method: 'POST',
    path: `${form.action.pathname}${form.action.search}`,
    headers: [['Content-Type', isMultipart ? `${MULTIPART}; boundary=${boundary}` : URLENCODED]],
    body,
    submits: {
      page: isStep ? null : request.path,
      fresh: form.fields.filter(isFresh).map(({ name }) => name),
      unticked: [...new Set(alike.flatMap(({ unticked }) => unticked).map(({ name }) => name))],
      ...(isStep && { after: request }),
    },
  };
}

/** The forms of a page that are sent by POST. `request` has led to the page: of a step, it is that of the step before. */
export async function formsIn(page: Page, request: SentRequest): Promise<FoundForm[]> {
  const all = await formsOf(page);
  const forms = all.filter(({ method, encoding }) => method === 'POST' && encoding !== 'text/plain');
  const alikeTo = (form: PageForm): PageForm[] => all.filter(({ action }) => action.pathname === form.action.pathname);
  return forms.map((form) => ({
    request: requestOf(form, alikeTo(form), request, `assay${randomWord()}`),
    source: 'form',
    label: [pathOf(new URL(page.url).pathname), form.labels].join('\n'),
    fields: form.fields,
    obstacle: obstacleOf(form, page),
  }));
}

/** Marks each text of a body that nothing else says a value for. */
function marked(value: unknown, mark: string): unknown {
  if (value === 'test') return mark;
  if (value === 'visitor@example.com') return `${mark}@example.com`;
  if (Array.isArray(value)) return value.map((one) => marked(one, mark));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, marked(inner, mark)]));
}

/** An operation of a description that creates something: POST alone, because the others replace or delete what exists. */
export function operationIn({ url, sent, described }: FoundRequest): FoundForm | null {
  if (sent?.method !== 'POST' || sent.body === undefined) return null;
  const mark = `assay${randomWord()}`;
  const json = recordIn(sent.body);
  const body = json === null ? sent.body.replace(/(?<==)test(?=&|$)/g, mark) : JSON.stringify(marked(json, mark));
  const request = { ...sent, path: `${url.pathname}${url.search}`, body, submits: { page: null, fresh: [] } };
  const fields = saidInBody(request);
  const word = replacedBy(request.path, described);
  const obstacle = word === null ? null : `it changes what exists: ${word}`;
  return {
    request,
    source: 'openapi',
    label: '',
    fields,
    ...(described && { described }),
    obstacle: fields.some(({ name }) => name !== '') ? obstacle : NOTHING_TO_ENTER,
  };
}
