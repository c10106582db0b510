import { labelOf } from './words';

/**
 * The hidden field with the page of a form. A page that answers a form has the URL of that form in the browser, so the
 * Referer does not name the page.
 */
export const PAGE_FIELD = 'form_page';

/** A form that was refused. Its page is shown again, with the reason and what was typed. */
export interface RefusedForm {
  readonly action: string;
  readonly status: number;
  readonly reason: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The first form of the page with the action shows the reason, and sets this. */
  isReasonShown: boolean;
  /** Set by a form of the page with the action. */
  hasForm?: boolean;
  /** Whether the form shows the reason above its fields, because it has no field that the reason is about. */
  readonly isAboveFields?: boolean;
}

/** The name of the field that the reason begins with, as messages of the API do. */
export function refusedField({ reason, fields }: RefusedForm): string | undefined {
  const [name = ''] = reason.split(' ', 1);
  return Object.hasOwn(fields, name) ? name : undefined;
}

/** A reason without a field on the page, with words of the page instead of the names and numbers of the API. */
export const reasonInWords = ({ reason }: Pick<RefusedForm, 'reason'>): string =>
  reason
    .replace(/^[a-z]+(?:_[a-z]+)*(?= )/, (name) => labelOf(name.replace(/_id$/, '')))
    .replaceAll(/\b\d+ \(([a-z]+(?:_[a-z]+)*)\)/g, (_numbered, name: string) => labelOf(name))
    .replace(/, or null\.$/, '.');
