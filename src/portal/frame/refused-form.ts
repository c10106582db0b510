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
}
