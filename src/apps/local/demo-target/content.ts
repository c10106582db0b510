import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenWeaknesses, WeaknessName } from './weaknesses';

export interface Content {
  readonly type: string;
  readonly body: string;
}

interface WeakContent extends Content {
  /** The content exists until this weakness is fixed. */
  readonly weakness?: WeaknessName;
}

const text = 'text/plain; charset=utf-8';

const fileNextToThis = (name: string): string => readFileSync(join(__dirname, name), 'utf8');

/** All secrets are fake. */
const contents: Readonly<Record<string, WeakContent>> = {
  '/style.css': { type: 'text/css; charset=utf-8', body: fileNextToThis('style.css') },
  '/icon.svg': { type: 'image/svg+xml', body: fileNextToThis('icon.svg') },
  '/.env': {
    weakness: 'exposed-env',
    type: text,
    body: 'APP_ENV=demo\nAPP_KEY=fake-key-for-the-demo\nDATABASE_PASSWORD=not-a-password\n',
  },
  '/.git/HEAD': { weakness: 'exposed-git', type: text, body: 'ref: refs/heads/main\n' },
  '/.git/config': { weakness: 'exposed-git', type: text, body: '[core]\n\trepositoryformatversion = 0\n' },
  '/uploads/': {
    weakness: 'directory-listing',
    type: 'text/html; charset=utf-8',
    body: '<!doctype html><title>Index of /uploads/</title><h1>Index of /uploads/</h1><a href="draft.txt">draft.txt</a>\n',
  },
  '/uploads/draft.txt': { type: text, body: 'No page links to this file. Only the directory listing shows it.\n' },
};

export function contentAt(path: string, open: OpenWeaknesses): Content | undefined {
  const content = Object.hasOwn(contents, path) ? contents[path] : undefined;
  return content?.weakness === undefined || open.has(content.weakness) ? content : undefined;
}

/** A unique name, because browsers share cookies between all ports of a host. */
const cookie = 'assay_demo_session=not-a-real-session';

/** The header fields of every response. `origin` is the Origin header of the request. */
export function fieldsFor(open: OpenWeaknesses, origin: string | undefined): Record<string, string> {
  const isFixed = (name: WeaknessName): boolean => !open.has(name);
  return {
    server: isFixed('server-version') ? 'AssayDemoTarget' : 'AssayDemoTarget/1.0.4',
    'set-cookie': [
      `${cookie}; Path=/`,
      ...(isFixed('cookie-without-httponly') ? ['HttpOnly'] : []),
      ...(isFixed('cookie-without-samesite') ? ['SameSite=Lax'] : []),
    ].join('; '),
    ...(isFixed('weak-csp') && { 'content-security-policy': "default-src 'self'; base-uri 'none'" }),
    ...(isFixed('missing-frame-protection') && { 'x-frame-options': 'DENY' }),
    ...(isFixed('missing-nosniff') && { 'x-content-type-options': 'nosniff' }),
    ...(open.has('cors-with-credentials') &&
      origin !== undefined && {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
      }),
  };
}
