import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ConnectionDrain } from '../../src/platform/http/connection-drain';
import { createLog } from '../../src/platform/logging/log';
import { createPortal } from '../../src/portal/create-portal';
import { asOperator } from '../../src/apps/cli/run-in-domain';
import { IdentityService } from '../../src/modules/identity';
import { type RunningApi, testConfig } from './api';
import { query } from './database';
import type { Person } from './factories';

export interface PortalAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface RunningPortal {
  readonly url: string;
  readonly app: NestExpressApplication;
  /** As the process of the API stops it. */
  stop(): Promise<void>;
}

/** The portal of a file's API. */
export function usePortal(api: RunningApi, overrides: Record<string, string> = {}): RunningPortal {
  let portal: NestExpressApplication | undefined;
  let url = '';
  let drain: ConnectionDrain | undefined;
  const stop = async (): Promise<void> => {
    drain?.begin();
    await portal?.close();
  };
  beforeAll(async () => {
    const log = createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });
    portal = await createPortal(await testConfig(overrides), log, api.app);
    drain = new ConnectionDrain(portal.getHttpServer());
    await portal.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(portal.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(stop);
  return {
    stop,
    get url() {
      return url;
    },
    get app() {
      if (portal === undefined) throw new Error('The portal has not started.');
      return portal;
    },
  };
}

/** Pairs for names that a form sends several times. */
type Fields = Record<string, string> | readonly (readonly [string, string])[];

const pairsOf = (fields: Fields): [string, string][] =>
  Array.isArray(fields)
    ? fields.map(([name, value]) => [name, value])
    : Object.entries(fields as Record<string, string>);

/** A browser without scripts: it keeps one cookie jar, and sends forms as a page of the portal does. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly portal: { readonly url: string }) {}

  get(path: string): Promise<PortalAnswer> {
    return this.send(path, {});
  }

  /** Sends the form with this action of a page, with a button that may send it elsewhere: its hidden fields and the given ones. */
  async submit(page: string, action: string, fields: Fields = {}, to = action): Promise<PortalAnswer> {
    const { text } = await this.get(page);
    const form = [...text.matchAll(/<form(?=[^>]* method="post")[^>]* action="([^"]*)"[^>]*>([^]*?)<\/form>/g)].find(
      ([, its]) => its === action,
    );
    if (form === undefined) throw new Error(`${page} has no form for ${action}`);
    const hidden = [...(form[2] ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const own = new Set(pairsOf(fields).map(([name]) => name));
    const kept = hidden.map(([, name = '', value = '']): [string, string] => [name, value.replaceAll('&amp;', '&')]);
    return this.post(to, [...kept.filter(([name]) => !own.has(name)), ...pairsOf(fields)], {
      referer: this.portal.url + page,
    });
  }

  post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<PortalAnswer> {
    const body = new URLSearchParams(pairsOf(fields));
    return this.send(path, { method: 'POST', body, headers: { origin: this.portal.url, ...headers } });
  }

  /** Sends the form with a file: its hidden fields, the given ones, and the file last. */
  async upload(
    page: string,
    action: string,
    fields: Record<string, string>,
    file: File,
    headers: Record<string, string> = {},
  ): Promise<PortalAnswer> {
    const { text } = await this.get(page);
    const form = new FormData();
    form.append('csrf', /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '');
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.append('file', file);
    return this.postForm(action, form, { origin: this.portal.url, referer: this.portal.url + page, ...headers });
  }

  /** Sends a form with a file as it is. */
  postForm(path: string, body: FormData | string, headers?: Record<string, string>): Promise<PortalAnswer> {
    return this.send(path, { method: 'POST', body, headers: headers ?? { origin: this.portal.url } });
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  setCookie(name: string, value: string): void {
    this.cookies.set(name, value);
  }

  /** The status alone: some responses end only when the work does. */
  async statusOf(path: string): Promise<number> {
    const response = await this.request(path, {});
    await response.body?.cancel();
    return response.status;
  }

  /** A response with server-sent events. */
  async events(path: string): Promise<EventStream> {
    return new EventStream(await this.request(path, {}));
  }

  private async send(path: string, init: RequestInit): Promise<PortalAnswer> {
    const response = await this.request(path, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  private async request(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(this.portal.url + path, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string> | undefined), cookie: this.cookieHeader },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

/** Reads server-sent events as they arrive. */
export class EventStream {
  text = '';
  isOver = false;
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(readonly response: Response) {
    if (response.body === null) throw new Error('The response has no body.');
    this.reader = response.body.getReader();
  }

  /** Reads until an event contains the text, or the stream ends. */
  async readUntil(text: string): Promise<string> {
    const decoder = new TextDecoder();
    while (!this.isOver && !this.text.includes(text)) {
      const { value, done } = await this.reader.read();
      this.isOver = done;
      this.text += decoder.decode(value, { stream: true });
    }
    return this.text;
  }

  readToEnd(): Promise<string> {
    return this.readUntil('\0');
  }

  cancel(): Promise<void> {
    return this.reader.cancel();
  }
}

export const PASSWORD = 'correct horse battery staple';

/** Sets the password of a person who has none, and returns the address. */
export async function withPassword(api: RunningApi, { userId }: Pick<Person, 'userId'>): Promise<string> {
  const [user] = await query<{ email: string; password_hash: string | null }>(
    'SELECT email, password_hash FROM users WHERE id = $1',
    [userId],
  );
  const description = { operation: 'user.password_change', resourceType: 'user' } as const;
  if (user?.password_hash == null)
    await asOperator(api.app, description, () => api.app.get(IdentityService).changePassword(userId, PASSWORD));
  return user?.email ?? '';
}

/** A browser in which the person is signed in. */
export async function signedInAs(
  api: RunningApi,
  portal: { readonly url: string },
  person: Pick<Person, 'userId'>,
): Promise<Browser> {
  const email = await withPassword(api, person);
  const browser = new Browser(portal);
  const answer = await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD });
  if (answer.status !== 303) throw new Error(answer.text);
  return browser;
}
