import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Frame } from './frame';
import type { Page } from './page';
import { type View, ViewProvider } from './view';

export const render = (page: Page, view: View): string => `<!doctype html>${renderPart(<Frame page={page} />, view)}`;

export const renderPart = (body: VNode, view: View): string =>
  renderToString(<ViewProvider value={view}>{body}</ViewProvider>);
