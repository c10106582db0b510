import type { Reply } from './target-server';

/** The same page for a check's tests, whatever it has beside. */
export const htmlPage = (head: string, body = ''): Record<'/', Reply> => ({
  '/': {
    body: `<!doctype html><html><head><title>The target</title>${head}</head><body class="home">
<h1 id="welcome">Welcome to the target</h1><p>This page stands for whatever a customer has on the web.</p>${body}</body></html>`,
  },
});
