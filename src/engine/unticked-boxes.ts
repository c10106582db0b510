import { parseUrl } from '../kernel/parse-url';
import { attribute, type Element, parsed, partsOf } from './html-elements';
import type { HttpAnswer } from './transport/http';

const SEARCHED_CHARACTERS = 300_000;
const LONGEST_FORM = 30_000;
const MOST_FORMS = 8;
const MOST_BOXES = 100;

export interface UntickedBox {
  readonly name: string;
  readonly isRequired: boolean;
}

function boxOf(element: Element): UntickedBox[] {
  const has = (name: string): boolean => attribute(element, name) !== null;
  const isBox = element.tagName === 'input' && /^(?:checkbox|radio)$/i.test(attribute(element, 'type') ?? '');
  const name = attribute(element, 'name') ?? '';
  return isBox && name !== '' && !has('checked') && !has('disabled') ? [{ name, isRequired: has('required') }] : [];
}

/** The boxes that a submission leaves out, in the forms of a page with this path as their action. A consent is one of them. */
export function untickedBoxes({ text, url }: Pick<HttpAnswer, 'text' | 'url'>, path: string): UntickedBox[] {
  const parts = text
    .slice(0, SEARCHED_CHARACTERS)
    .split(/(?=<form\b)/i)
    .filter((part) => /^<form\b/i.test(part));
  return parts
    .slice(0, MOST_FORMS)
    .flatMap((part) => {
      const elements = parsed(partsOf(part.slice(0, LONGEST_FORM).split(/<\/form\b/i, 1)[0] ?? '')[0] ?? '');
      const form = elements.find(({ tagName }) => tagName === 'form');
      const action = form && parseUrl(attribute(form, 'action')?.trim() || url, url);
      return action?.pathname === path ? elements.flatMap(boxOf) : [];
    })
    .slice(0, MOST_BOXES);
}
