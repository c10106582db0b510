import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Frame } from './frame';
import type { Page } from './page';
import { type View, ViewProvider } from './view';

export function render(page: Page, view: View): string {
  const shown = renderPart(<Frame page={page} />, view);
  const { refusedForm } = view;
  const isReasonMissing = refusedForm !== undefined && !refusedForm.isReasonShown;
  // The page does not have the refused form any more, so the reason is shown on top of the page.
  return `<!doctype html>${isReasonMissing ? renderPart(<Frame page={page} reason={refusedForm.reason} />, view) : shown}`;
}

export const renderPart = (body: VNode, view: View): string =>
  renderToString(<ViewProvider value={view}>{body}</ViewProvider>);
