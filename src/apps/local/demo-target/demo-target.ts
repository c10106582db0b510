import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Content, contentAt, fieldsFor } from './content';
import { inputPageAt } from './input-pages';
import { Members, type ShopAnswer } from './members';
import { type AssayLinks, page } from './page';
import { foreignRequestRefusal } from './foreign-request';
import { isWeaknessName, type WeaknessName, weaknessNames } from './weaknesses';

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly fields?: Record<string, string>;
}

const plain = (status: number, sentence: string, fields: Record<string, string> = {}): Reply => ({
  status,
  body: `${sentence}\n`,
  fields: { 'content-type': 'text/plain; charset=utf-8', ...fields },
});

const notFound = plain(404, 'Not found.');
const notAllowed = (allow: string): Reply => plain(405, `Method not allowed. Allowed methods: ${allow}.`, { allow });

const shopPage = ({ status, title, body, fields }: ShopAnswer): Reply => ({
  status,
  body: `<!doctype html><title>${title}</title><h1>${title}</h1>${body}\n`,
  fields: { 'content-type': 'text/html; charset=utf-8', ...fields },
});

const MAX_BODY = 4_096;

/** Empty where it is too long, or did not come whole. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const part of request.setEncoding('latin1')) if (text.length <= MAX_BODY) text += String(part);
  } catch {
    return '';
  }
  return text.length > MAX_BODY ? '' : text;
}

/** A browser that submits a form of the page is redirected to the page. */
const wantsPage = ({ headers }: IncomingMessage): boolean => headers.accept?.includes('text/html') ?? false;

/** A web server with weaknesses that can be fixed and reopened. All are open after the start. Listens on loopback only. */
export class DemoTarget {
  private readonly open = new Set<WeaknessName>(weaknessNames);
  private readonly members = new Members();
  private readonly server = createServer((request, response) => void this.answer(request, response));

  constructor(private readonly links: AssayLinks = {}) {}

  /** Returns the address. Port 0 selects any free port. */
  async listen(port: number): Promise<AddressInfo> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return this.server.address() as AddressInfo;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await bodyOf(request);
    const { status, body, fields } = this.refusal(request) ?? this.reply(request, sent);
    const common = fieldsFor(this.open, request.headers.origin);
    const cookies = [common['set-cookie'], fields?.['set-cookie']].filter((cookie) => cookie !== undefined);
    response.writeHead(status, { ...common, ...fields, 'set-cookie': cookies }).end(body);
  }

  private refusal(request: IncomingMessage): Reply | undefined {
    const refusal = foreignRequestRefusal(request);
    return refusal && plain(refusal.status, refusal.reason);
  }

  private reply(request: IncomingMessage, sent: string): Reply {
    const [path = '/', query = ''] = (request.url ?? '/').split('?');
    const [, verb, name] = /^\/-\/(fix|open)\/([^/]*)$/.exec(path) ?? [];
    if (verb !== undefined && name !== undefined) return this.setWeakness(request, verb, name);
    if (path === '/login' && request.method === 'POST') return shopPage(this.members.signIn(new URLSearchParams(sent)));
    if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed('GET, HEAD');
    const ofShop = this.members.answer(path, request.headers.cookie, this.open);
    if (ofShop !== undefined) return shopPage(ofShop);
    const content =
      path === '/' ? this.page(request) : (contentAt(path, this.open) ?? inputPageAt(path, query, this.open));
    return content ? { status: 200, body: content.body, fields: { 'content-type': content.type } } : notFound;
  }

  private page({ socket }: IncomingMessage): Content {
    const origin = `http://127.0.0.1:${socket.localPort}`;
    return { type: 'text/html; charset=utf-8', body: page(this.open, origin, this.links) };
  }

  private setWeakness(request: IncomingMessage, verb: string, name: string): Reply {
    if (request.method !== 'POST') return notAllowed('POST');
    if (!isWeaknessName(name))
      return plain(404, `"${name}" is not a weakness of this server. Known: ${weaknessNames.join(', ')}.`);
    if (verb === 'open') this.open.add(name);
    else this.open.delete(name);
    if (wantsPage(request)) return plain(303, 'See the page at /.', { location: '/' });
    return plain(200, `${name} is ${verb === 'open' ? 'open again' : 'fixed'}.`);
  }
}
