import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { text as textOf } from 'node:stream/consumers';
import { createAssay, dataOf, safeLine } from '../../sdk/src';
import { openInBrowser } from './browser';
import { Problem } from './problem';
import type { Session } from './session';
import { readProfiles, writeProfiles } from './settings';

export interface LoginFlags {
  readonly default?: boolean;
  readonly scope?: string;
}

/** Reads a key, tries it, and keeps it in the file of the user. */
export async function login(
  session: Session,
  { default: isDefault = false, scope = 'read' }: LoginFlags,
): Promise<void> {
  const { settings, output, terminal, flags } = session;
  const { url, organization, caFile, profile: name = 'default' } = settings;
  if (url === undefined) throw new Problem('Say which service.', 'assay login --url https://assay.example.com');
  const fetch = session.fetch();
  const portal = await portalOf(fetch, url);
  if (session.isInteractive) {
    if (portal !== undefined) {
      const page = `${portal}/settings/api?${presetOf(scope, organization)}#new`;
      output.say(`Create a key, which is filled in: ${scope}, in one organization, for 90 days.\n${page}`);
      openInBrowser(session, page);
    }
    output.say('Paste the key and its secret, as ak_…:as_…. They are not shown.');
  }
  const [, key, secret] = /^(ak_\S+?)[:\s]+(as_\S+)$/.exec((await keyText(session)).trim()) ?? [];
  if (key === undefined || secret === undefined)
    throw new Problem('Standard input has no key: ak_…:as_… on one line.', `assay login --url ${url} < key.txt`);
  const me = await dataOf(createAssay({ url, key, secret, fetch, signal: session.signal }).GET('/v1/me'));
  const only = me.organizations.length === 1 ? me.organizations[0]?.id : undefined;
  const { current, profiles } = readProfiles(terminal.env);
  const saved = { url, key, secret, organization: organization ?? only, ca_file: caFile, proxy: settings.proxy };
  const file = writeProfiles(terminal.env, {
    current: isDefault || profiles[current] === undefined ? name : current,
    profiles: { ...profiles, [name]: { ...profiles[name], ...saved } },
  });
  const { user, organizations, key: own } = me;
  const where = organizations.map((one) => `${safeLine(one.name)} (${one.id}, ${one.role})`).join(', ');
  output.say(
    `Signed in to ${url} as ${safeLine(user.email)}: ${where || 'no organization'}. Scopes: ${own.scopes.join(', ')}.`,
  );
  output.say(`The key is in ${file}, as the profile ${name}. Next: assay findings`);
  if (flags.json === true) output.record({ url, profile: name, file, user, organizations }, () => '');
}

function presetOf(scope: string, organization: number | undefined): string {
  const preset = new URLSearchParams({ scope, label: `assay on ${hostname()}`.slice(0, 200) });
  if (organization !== undefined) preset.set('organization', String(organization));
  return preset.toString();
}

/** The address of the portal, if the service names one. */
export async function portalOf(
  fetch: (request: Request) => Promise<Response>,
  url: string,
): Promise<string | undefined> {
  try {
    const request = new Request(`${url}/`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(10_000),
    });
    const { portal } = (await (await fetch(request)).json()) as { readonly portal?: unknown };
    return typeof portal === 'string' && /^https?:\/\//.test(portal) ? safeLine(portal) : undefined;
  } catch {
    return undefined;
  }
}

/** On a terminal without an echo. */
async function keyText(session: Session): Promise<string> {
  const { stdin } = session.terminal;
  if (stdin.isTTY !== true) return textOf(stdin);
  if (!session.isInteractive) throw new Problem('Standard input is a terminal.', 'assay login < key.txt');
  const lines = createInterface({ input: stdin, terminal: true });
  session.signal.addEventListener('abort', () => lines.close());
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => resolve(''));
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  });
}
