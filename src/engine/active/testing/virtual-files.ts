import { posix } from 'node:path';

const VERSION =
  'Linux version 6.1.0-28-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) 12.2.0, GNU ld (GNU Binutils for Debian) 2.40) #1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1 (2024-11-22)\n';
const LICENSE = '{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Tahoma;}}MICROSOFT SOFTWARE LICENSE TERMS}';

const RELEASE = 'PRETTY_NAME="Debian GNU/Linux 12"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n';

/** The files of a server as a table, so that no test opens real files. */
const FILES: Readonly<Record<string, string>> = {
  '/proc/version': VERSION,
  '/usr/lib/os-release': RELEASE,
  '/srv/app/pages/red': 'The red page',
  '/srv/app/pages/help/index.html': 'The help page',
};
const WINDOWS_FILES: Readonly<Record<string, string>> = { 'c:/windows/system32/license.rtf': LICENSE };

/** The content of a path in the server's folder; null if there is no such file. */
export const readPath = (path: string): string | null =>
  walks(path) ? (FILES[posix.resolve('/srv/app/pages', path)] ?? null) : null;

/** Like the kernel: each folder on the way must exist. */
function walks(path: string): boolean {
  const known = new Set([
    '/',
    '/srv',
    '/srv/app',
    '/proc',
    '/usr',
    '/usr/lib',
    '/proc/sys',
    '/srv/app/pages',
    '/srv/app/pages/help',
  ]);
  for (const name of ['kernel', 'vm', 'fs', 'net']) known.add(`/proc/sys/${name}`);
  let at = path.startsWith('/') ? '/' : '/srv/app/pages';
  for (const part of path.split('/').slice(0, -1)) {
    at = posix.resolve(at, part === '' ? '.' : part);
    if (!known.has(at)) return false;
  }
  return true;
}

export function readWindowsPath(path: string): string | null {
  const slashes = path.replaceAll(/[\\/]+/g, '/').toLowerCase();
  const full = /^[a-z]:/.test(slashes) ? slashes : `c:${posix.resolve('/inetpub/app/pages', slashes)}`;
  return WINDOWS_FILES[full] ?? null;
}

export const VERSION_TEXT = VERSION;

const MANIFEST = 'Manifest-Version: 1.0\r\nCreated-By: Maven WAR Plugin 3.4.0\r\nBuild-Jdk-Spec: 17\r\n';

/** The content that a Java container gives an application for one of its own files. It resolves the path as a text. */
export function readResource(path: string): string | null {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..' && names.pop() === undefined) return null;
    if (!['', '.', '..'].includes(name)) names.push(name);
  }
  return names.join('/') === 'META-INF/MANIFEST.MF' ? MANIFEST : null;
}
