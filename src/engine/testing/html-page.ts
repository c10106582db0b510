import type { Reply } from './target-server';

/** The front page of a test target, with additions to its head and body. */
export const htmlPage = (head: string, body = ''): Record<'/', Reply> => ({
  '/': {
    body: `<!doctype html><html><head><title>The target</title>${head}</head><body class="home">
<h1 id="welcome">Welcome to the target</h1><p>This page stands for whatever a customer has on the web.</p>${body}</body></html>`,
  },
});
