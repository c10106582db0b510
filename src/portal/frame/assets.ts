import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' } as const;
type Extension = keyof typeof TYPES;

const own = (name: string): string => join(__dirname, 'static', name);

/** The one style sheet is made of these, in this order. A page with styles of its own has them in its folder. */
const STYLES = [
  'frame/styles/tokens.css',
  'frame/styles/base.css',
  'frame/styles/components.css',
  'frame/styles/settings.css',
  'frame/styles/lists.css',
  'live/live.css',
  'home/home.css',
  'overview/overview.css',
  'audit/audit.css',
  'inbox/inbox.css',
  'findings/findings.css',
  'findings/finding.css',
  'palette/palette.css',
  'scans/scans.css',
  'observations/observations.css',
  'discoveries/discoveries.css',
  'imports/imports.css',
];

const FILES = {
  'portal.css': STYLES.map((path) => join(__dirname, '..', path)),
  'portal.js': [own('portal.js'), own('inbox.js'), own('passkeys.js'), own('kept-form.js')],
  'icon.svg': [own('icon.svg')],
  'htmx.js': [require.resolve('htmx.org/dist/htmx.min.js')],
} as const;
type AssetName = keyof typeof FILES;

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

function read([name, files]: [string, readonly string[]]): [AssetName, Asset] {
  const content = Buffer.concat(files.map((file) => readFileSync(file)));
  const version = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const extension = name.slice(name.lastIndexOf('.') + 1) as Extension;
  return [name as AssetName, { path: `/static/${version}/${name}`, type: TYPES[extension], content }];
}

const assets = new Map(Object.entries(FILES).map(read));

/** The path contains a hash of the content, so that browsers may keep the file. */
export function assetPath(name: AssetName): string {
  const asset = assets.get(name);
  if (asset === undefined) throw new Error(`no asset ${name}`);
  return asset.path;
}

export function serveAssets(): RequestHandler {
  const router = Router();
  for (const { path, type, content } of assets.values())
    router.get(path, (_request, response) => {
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      response.type(type).send(content);
    });
  return router;
}
