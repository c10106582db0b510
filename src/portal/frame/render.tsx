import { renderToString } from 'preact-render-to-string';
import { Frame } from './frame';
import type { Page } from './page';
import { type View, ViewProvider } from './view';

export const render = (page: Page, view: View): string =>
  `<!doctype html>${renderToString(
    <ViewProvider value={view}>
      <Frame page={page} />
    </ViewProvider>,
  )}`;
