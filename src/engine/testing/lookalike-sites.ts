import type { Reply, Site } from './target-server';

const everywhere = (reply: Reply): Site => ({ answer: ({ url }) => (url === '/' ? null : reply) });

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/**
 * Fixed sites that answer 200 to everything without the content that a check looks for: replacements for missing pages,
 * and a page that only quotes the content.
 */
export const lookalikeSites = (content: string): Readonly<Record<string, Site>> => ({
  'every error is JSON with 200': everywhere({
    headers: { 'content-type': 'application/json' },
    body: '{"status":404,"error":"Not Found","message":"No such key, secret or token","path":"/","details":{},"components":[]}',
  }),
  'every error is a line of text with 200': everywhere({
    headers: { 'content-type': 'text/plain' },
    body: 'Not found: KEY=value, status: DOWN\n',
  }),
  'an article quotes the content': everywhere({
    body: `<!doctype html><html><head><title>How to protect it</title></head><body><p>It looks like this:</p>
<pre>${escaped(content)}</pre></body></html>`,
  }),
});
