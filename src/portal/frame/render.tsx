import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Frame } from './frame';
import type { Page } from './page';
import { reasonInWords } from './refused-form';
import { type View, ViewProvider } from './view';

export function render(page: Page, view: View): string {
  const shown = renderPart(<Frame page={page} />, view);
  return `<!doctype html>${withReason(page, view) ?? shown}`;
}

/** Once more with the reason of a refused form that the page has not shown: above the fields of the form, or above the page. */
function withReason(page: Page, view: View): string | undefined {
  const { refusedForm } = view;
  if (refusedForm === undefined || refusedForm.isReasonShown) return undefined;
  if (refusedForm.hasForm)
    return renderPart(<Frame page={page} />, { ...view, refusedForm: { ...refusedForm, isAboveFields: true } });
  return renderPart(<Frame page={page} reason={reasonInWords(refusedForm)} />, view);
}

export const renderPart = (body: VNode, view: View): string =>
  renderToString(<ViewProvider value={view}>{body}</ViewProvider>);
