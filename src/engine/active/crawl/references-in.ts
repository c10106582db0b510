import { defaultTreeAdapter } from 'parse5';
import { parseUrl } from '../../../kernel/parse-url';
import type { Page } from '../../page';
import { attribute, type Element, type Node, nodesOf, optionOf, parsed, partsOf, textOf } from '../../html-elements';
import { refreshesOf } from '../../protocols/http/refresh';
import { usualValue } from './form-values';
import type { FoundRequest } from './found-request';
import { addressesInScript } from './script-addresses';

/** Longer link texts are titles, in which words such as "delete" mean nothing. */
const LONGEST_LABEL = 40;
const LONGEST_ADDRESS = 2_000;

const addressIn = (address: string, base: string): URL | null =>
  address.length > LONGEST_ADDRESS ? null : parseUrl(address, base);
const MAX_FIELDS = 60;

const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['iframe', 'src'],
  ['frame', 'src'],
]);
/** Attributes of any element. */
const DATA_ADDRESSES = ['hx-get', 'data-href', 'data-url', 'data-src'];

type Field = readonly [name: string, value: string];

interface Form {
  readonly element: Element;
  readonly fields: Field[];
  readonly labels: string[];
  readonly radios: Set<string>;
}

const CONTROLS = new Set(['input', 'select', 'textarea', 'button']);
const NOT_SENT = new Set(['reset', 'image', 'file', 'button']);

const VALUES: ReadonlyMap<string, (control: Element) => string> = new Map([
  ['select', optionOf],
  ['textarea', textOf],
]);

/** Adds what a visitor would send to the form: usual values, and its first button. */
function addControl(form: Form, control: Element): void {
  const { tagName } = control;
  const type = (attribute(control, 'type') ?? (tagName === 'button' ? 'submit' : 'text')).toLowerCase();
  const name = attribute(control, 'name') ?? '';
  const stated = VALUES.get(tagName)?.(control) ?? attribute(control, 'value') ?? '';
  const isButton = type === 'submit';
  if (isButton) form.labels.push(name, stated, textOf(control));
  if (name === '' || NOT_SENT.has(type) || attribute(control, 'disabled') !== null || form.fields.length >= MAX_FIELDS)
    return;
  if (isButton || type === 'radio') {
    if (form.radios.has(isButton ? '' : name)) return;
    form.radios.add(isButton ? '' : name);
  }
  const isEmpty = stated === '' && !isButton && type !== 'hidden';
  form.fields.push([name, isEmpty ? usualValue(name, type) : stated]);
}

function formOf(control: Element, forms: ReadonlyMap<Element, Form>, last: Form | null): Form | null {
  for (let node: Node | null = control; node !== null; node = 'parentNode' in node ? node.parentNode : null)
    if ('tagName' in node && node.tagName === 'form') return forms.get(node) ?? null;
  // Between the rows of a table, a form element does not contain its fields.
  const isOpen = last !== null && !nodesOf(last.element).some((node) => 'tagName' in node);
  return isOpen ? last : null;
}

/** GET forms with what a visitor would send. Other forms may change something, so they are only listed. */
function formRequests(elements: readonly Element[], base: string): FoundRequest[] {
  const forms = new Map<Element, Form>();
  let last: Form | null = null;
  for (const element of elements) {
    if (element.tagName === 'form') {
      last = { element, fields: [], labels: [attribute(element, 'id') ?? ''], radios: new Set() };
      forms.set(element, last);
    }
    if (!CONTROLS.has(element.tagName)) continue;
    const form = formOf(element, forms, last);
    if (form !== null) addControl(form, element);
  }
  return [...forms.values()].flatMap(({ element, fields, labels }): FoundRequest[] => {
    const method = attribute(element, 'method')?.trim().toLowerCase() ?? 'get';
    const url = addressIn(attribute(element, 'action')?.trim() || base, base);
    if (url === null || method === 'dialog') return [];
    url.hash = '';
    if (method === 'post') return [{ url, source: 'form', sent: { method: 'POST' } }];
    url.search = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString();
    return [{ url, source: 'form', label: labels.join('\n') }];
  });
}

/** The requests that an HTML page leads to. */
export function referencesIn(page: Page): FoundRequest[] {
  const [first = '', ...others] = partsOf(page.text);
  const elements = parsed(first);
  // Only links are read from further parts, because a form could be cut in two.
  const links = others.flatMap((part) => parsed(part).filter(({ tagName }) => tagName === 'a'));
  const stated = elements.find(({ tagName }) => tagName === 'base');
  const base = addressIn((stated && attribute(stated, 'href')) ?? '', page.url)?.href ?? page.url;
  const found: FoundRequest[] = [];
  const add = (address: string | null, source: string, label = ''): void => {
    const url = address === null ? null : addressIn(address.trim(), base);
    if (url === null) return;
    url.hash = '';
    found.push({ url, source, label });
  };
  for (const element of [...elements, ...links]) {
    const { tagName } = element;
    const text = tagName === 'a' ? textOf(element) : '';
    const label = text.length <= LONGEST_LABEL ? text : '';
    for (const name of [...DATA_ADDRESSES, ADDRESSES.get(tagName) ?? '']) add(attribute(element, name), 'link', label);
    if (
      tagName === 'link' &&
      /\b(?:next|prev|alternate|canonical|help|search)\b/i.test(attribute(element, 'rel') ?? '')
    )
      add(attribute(element, 'href'), 'link');
    if (tagName !== 'script') continue;
    add(attribute(element, 'src'), 'script');
    for (const node of nodesOf(element))
      if (defaultTreeAdapter.isTextNode(node))
        for (const address of addressesInScript(node.value)) add(address, 'script');
  }
  const refreshes = refreshesOf(page).map((url): FoundRequest => ({ url, source: 'refresh' }));
  return [...formRequests(elements, base), ...found, ...refreshes];
}
