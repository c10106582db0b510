import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type TrackerKindOfServer = 'jira' | 'github' | 'gitlab';

interface Comment {
  readonly id: number;
  readonly body: unknown;
  readonly created: Date;
}

export interface StoredTicket {
  readonly kind: TrackerKindOfServer;
  readonly number: number;
  readonly title: string;
  /** Markdown, or ADF in Jira. */
  readonly body: unknown;
  readonly properties: readonly { key: string; value: unknown }[];
  readonly created: Date;
  readonly author: string;
  confidential: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
  labels: string[];
  state: 'open' | 'done' | 'wont_do';
  updated: Date;
  comments: Comment[];
  isDeleted: boolean;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly authorization: string;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Rule = (request: SeenRequest) => boolean;

const ACCOUNT = 'assay-bot';
const missing: Answer = { status: 404, body: { message: 'Not Found' } };

/**
 * Jira Cloud, GitHub and GitLab as their documentation describes the requests that Assay sends: GitHub at its root, the others
 * below their own paths. Their clocks count whole seconds, as those of GitHub do.
 */
export class TrackerServer {
  readonly tickets: StoredTicket[] = [];
  readonly requests: SeenRequest[] = [];
  isPublic = false;
  /** Of Jira: names of fields that a request to create must have. */
  requiredFields: string[] = [];
  /** Of Jira: no transition leads out of the category done. */
  hasNoWayBack = false;
  now: () => Date = () => new Date();
  private readonly losses: Rule[] = [];
  private readonly refusals: { rule: Rule; answer: Answer }[] = [];
  private comments = 0;
  private port = 0;
  private readonly server = createServer((request, response) => void this.respond(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get entry(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.entry}`;
  }

  reset(): void {
    this.tickets.length = 0;
    this.requests.length = 0;
    this.losses.length = 0;
    this.refusals.length = 0;
    this.isPublic = false;
    this.requiredFields = [];
    this.hasNoWayBack = false;
  }

  /** The next request like this is done, and its answer is lost. */
  lose(rule: Rule): void {
    this.losses.push(rule);
  }

  /** The next request like this is refused. */
  refuse(rule: Rule, answer: Answer): void {
    this.refusals.push({ rule, answer });
  }

  ticket(number: number): StoredTicket {
    const found = this.tickets.find((one) => one.number === number);
    if (found === undefined) throw new Error(`no ticket ${number}`);
    return found;
  }

  /** As a person does it in the tracker. */
  change(number: number, state: StoredTicket['state']): void {
    const ticket = this.ticket(number);
    ticket.state = state;
    ticket.updated = this.second();
  }

  addForeign(kind: TrackerKindOfServer, title: string): number {
    return this.add(kind, { title, body: '', author: 'ada', confidential: kind === 'gitlab' }).number;
  }

  count(method: string, path: RegExp): number {
    return this.requests.filter((one) => one.method === method && path.test(one.path)).length;
  }

  /** The texts of its comments, whatever their form. */
  said(number: number): string[] {
    return this.ticket(number).comments.map(({ body }) => textIn(body));
  }

  private second(): Date {
    return new Date(Math.floor(this.now().getTime() / 1_000) * 1_000);
  }

  private add(
    kind: TrackerKindOfServer,
    draft: Partial<StoredTicket> & Pick<StoredTicket, 'title' | 'body'>,
  ): StoredTicket {
    const created = this.second();
    const ticket: StoredTicket = {
      kind,
      number: this.tickets.length + 1,
      properties: [],
      author: ACCOUNT,
      confidential: false,
      fields: {},
      labels: [],
      state: 'open',
      comments: [],
      isDeleted: false,
      created,
      updated: created,
      ...draft,
    };
    this.tickets.push(ticket);
    return ticket;
  }

  private comment(ticket: StoredTicket, body: unknown): void {
    ticket.comments.push({ id: ++this.comments, body, created: this.second() });
    ticket.updated = this.second();
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(request);
    const seen: SeenRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: raw === '' ? {} : (JSON.parse(raw) as Record<string, unknown>),
      authorization: request.headers.authorization ?? String(request.headers['private-token'] ?? ''),
    };
    this.requests.push(seen);
    const refusal = takeFirst(this.refusals, ({ rule }) => rule(seen));
    const answer = refusal?.answer ?? this.answer(seen);
    if (takeFirst(this.losses, (rule) => rule(seen)) !== undefined) {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  }

  private answer(request: SeenRequest): Answer {
    const url = new URL(request.path, 'http://tracker');
    if (url.pathname.startsWith('/rest/api/3')) return this.jira(request, url);
    if (request.authorization === '') return { status: 401, body: { message: 'Bad credentials' } };
    return url.pathname.startsWith('/api/v4') ? this.gitlab(request, url) : this.github(request, url);
  }

  private listed(kind: TrackerKindOfServer): StoredTicket[] {
    return this.tickets.filter((one) => one.kind === kind && !one.isDeleted);
  }

  private found(kind: TrackerKindOfServer, id: string | undefined): StoredTicket | undefined {
    return this.listed(kind).find(({ number }) => id === String(number) || id === `SEC-${number}`);
  }

  private github({ method, body }: SeenRequest, { pathname, searchParams: query }: URL): Answer {
    if (pathname === '/user') return { status: 200, body: { login: ACCOUNT } };
    const [, path] = /^\/repos\/acme\/shop(.*)$/.exec(pathname) ?? [];
    if (path === undefined) return missing;
    if (path === '')
      return { status: 200, body: { full_name: 'acme/shop', private: !this.isPublic, has_issues: true } };
    const show = (one: StoredTicket) => ({
      number: one.number,
      html_url: `${this.url}/acme/shop/issues/${one.number}`,
      state: one.state === 'open' ? 'open' : 'closed',
      state_reason: one.state === 'open' ? null : one.state === 'done' ? 'completed' : 'not_planned',
      updated_at: one.updated.toISOString().replace('.000', ''),
      body: one.body,
      labels: one.labels.map((name) => ({ name })),
    });
    if (path === '/issues' && method === 'POST') {
      const { title, body: description, labels } = body as { title: string; body: string; labels: string[] };
      return { status: 201, body: show(this.add('github', { title, body: description, labels, fields: body })) };
    }
    if (path === '/issues') {
      const since = new Date(query.get('since') ?? 0);
      const creator = query.get('creator');
      const items = this.listed('github').filter(
        (one) => one.updated >= since && (creator === null || one.author === creator),
      );
      return {
        status: 200,
        body: [...pageOf(items, query).map(show), ...(query.get('page') === '1' ? [{ pull_request: {} }] : [])],
      };
    }
    const [, number, rest] = /^\/issues\/(\d+)(.*)$/.exec(path) ?? [];
    const one = this.found('github', number);
    if (one === undefined) return { status: 410, body: { message: 'This issue was deleted' } };
    if (rest === '/comments' && method === 'POST') {
      this.comment(one, body['body']);
      return { status: 201, body: {} };
    }
    if (rest === '/comments') {
      const since = new Date(query.get('since') ?? 0);
      return {
        status: 200,
        body: pageOf(
          one.comments.filter(({ created }) => created >= since),
          query,
        ).map(({ body: said }) => ({ body: said })),
      };
    }
    if (method === 'PATCH') this.change(one.number, body['state'] === 'open' ? 'open' : 'done');
    return { status: 200, body: show(one) };
  }

  private gitlab({ method, body }: SeenRequest, { pathname, searchParams: query }: URL): Answer {
    const path = pathname.slice('/api/v4'.length);
    if (path === '/user') return { status: 200, body: { username: ACCOUNT } };
    const [, below] = /^\/projects\/acme%2Fshop(.*)$/.exec(path) ?? [];
    if (below === undefined) return missing;
    if (below === '')
      return {
        status: 200,
        body: { path_with_namespace: 'acme/shop', visibility: this.isPublic ? 'public' : 'private' },
      };
    const show = (one: StoredTicket) => ({
      iid: one.number,
      web_url: `${this.url}/acme/shop/-/issues/${one.number}`,
      state: one.state === 'open' ? 'opened' : 'closed',
      labels: one.state === 'wont_do' ? [...one.labels, "won't do"] : one.labels,
      updated_at: one.updated.toISOString(),
      description: one.body,
      moved_to_id: null,
      confidential: one.confidential,
    });
    if (below === '/issues' && method === 'POST') {
      const { title, description, labels, confidential } = body as Record<string, string>;
      const draft = { title: title ?? '', body: description, labels: (labels ?? '').split(','), fields: body };
      return { status: 201, body: show(this.add('gitlab', { ...draft, confidential: Boolean(confidential) })) };
    }
    if (below === '/issues') {
      const since = new Date(query.get('updated_after') ?? query.get('created_after') ?? 0);
      const author = query.get('author_username');
      const items = this.listed('gitlab').filter(
        (one) => one.updated >= since && (author === null || one.author === author),
      );
      return { status: 200, body: pageOf(items, query).map(show) };
    }
    const [, number, rest] = /^\/issues\/(\d+)(.*)$/.exec(below) ?? [];
    const one = this.found('gitlab', number);
    if (one === undefined) return missing;
    if (rest === '/notes' && method === 'POST') {
      this.comment(one, body['body']);
      return { status: 201, body: {} };
    }
    if (rest === '/notes') {
      const notes = one.comments
        .toReversed()
        .map(({ body: said, created }) => ({ body: said, created_at: created.toISOString() }));
      return { status: 200, body: pageOf(notes, query) };
    }
    if (method === 'PUT') this.change(one.number, body['state_event'] === 'reopen' ? 'open' : 'done');
    return { status: 200, body: show(one) };
  }

  private jira({ method, body, authorization }: SeenRequest, { pathname, searchParams: query }: URL): Answer {
    const path = pathname.slice('/rest/api/3'.length);
    if (path === '/project/SEC')
      return authorization !== '' || this.isPublic ? { status: 200, body: { key: 'SEC' } } : { status: 404, body: {} };
    if (authorization === '') return { status: 401, body: {} };
    if (path === '/myself') return { status: 200, body: { accountId: ACCOUNT } };
    if (path === '/issue/createmeta/SEC/issuetypes')
      return {
        status: 200,
        body: {
          issueTypes: [
            { id: '10001', name: 'Task' },
            { id: '10002', name: 'Bug' },
          ],
        },
      };
    if (/^\/issue\/createmeta\/SEC\/issuetypes\/1000[12]$/.test(path)) {
      const names = ['Summary', 'Project', 'Issue Type', ...this.requiredFields];
      const idOf = (name: string): string => name.toLowerCase().replaceAll(' ', '');
      const fields = names.map((name) => ({ name, fieldId: idOf(name), required: true, hasDefaultValue: false }));
      return { status: 200, body: { fields: [...fields, { name: 'Sprint', fieldId: 'sprint', required: false }] } };
    }
    const show = (one: StoredTicket) => ({
      id: String(one.number),
      key: `SEC-${one.number}`,
      fields: {
        status: { name: STATUS_NAMES[one.state], statusCategory: { key: one.state === 'open' ? 'new' : 'done' } },
        updated: one.updated.toISOString().replace('Z', '+0000'),
      },
      properties: Object.fromEntries(one.properties.map(({ key, value }) => [key, value])),
    });
    if (path === '/search/jql') {
      const { jql = '' } = body as { jql?: string };
      const [, field = '', minutes = ''] = /(created|updated) >= -(\d+)m/.exec(jql) ?? [];
      const since = new Date(this.now().getTime() - Number(minutes) * 60_000);
      const mine = jql.includes('creator = currentUser()');
      const items = this.listed('jira').filter(
        (one) => (field === 'created' ? one.created : one.updated) >= since && (!mine || one.author === ACCOUNT),
      );
      const from = Number(body['nextPageToken'] ?? 0);
      const most = Number(body['maxResults'] ?? 50);
      const page = items.slice(from, from + most);
      return {
        status: 200,
        body: { issues: page.map(show), ...(items.length > from + most && { nextPageToken: String(from + most) }) },
      };
    }
    if (path === '/issue' && method === 'POST') {
      const { fields, properties } = body as {
        fields: Record<string, unknown>;
        properties: StoredTicket['properties'];
      };
      const lacking = this.requiredFields.filter((name) => !(name.toLowerCase() in fields));
      if (lacking.length > 0)
        return {
          status: 400,
          body: {
            errorMessages: [],
            errors: Object.fromEntries(lacking.map((name) => [name, `${name} is required.`])),
          },
        };
      const draft = {
        title: String(fields['summary']),
        body: fields['description'],
        labels: fields['labels'] as string[],
      };
      const one = this.add('jira', { ...draft, properties, fields });
      return { status: 201, body: { id: String(one.number), key: `SEC-${one.number}` } };
    }
    const [, id, rest] = /^\/issue\/([\w-]+)(.*)$/.exec(path) ?? [];
    const one = this.found('jira', id);
    if (one === undefined)
      return {
        status: 404,
        body: { errorMessages: ['Issue does not exist or you do not have permission to see it.'] },
      };
    if (rest === '/comment' && method === 'POST') {
      this.comment(one, body['body']);
      return { status: 201, body: {} };
    }
    if (rest === '/comment')
      return {
        status: 200,
        body: { comments: pageOf(one.comments.toReversed(), query).map(({ body: said }) => ({ body: said })) },
      };
    if (rest === '/transitions' && method === 'POST') {
      const { transition } = body as { transition: { id: string } };
      this.change(one.number, TRANSITIONS[transition.id] ?? 'open');
      return { status: 204 };
    }
    if (rest === '/transitions') return { status: 200, body: { transitions: this.transitionsOf(one) } };
    return { status: 200, body: show(one) };
  }

  private transitionsOf({ state }: StoredTicket) {
    return Object.entries(TRANSITIONS)
      .filter(([, to]) => (to === 'open') !== (state === 'open') && !(this.hasNoWayBack && to === 'open'))
      .map(([id, to]) => ({
        id,
        to: { name: STATUS_NAMES[to], statusCategory: { key: to === 'open' ? 'new' : 'done' } },
        fields:
          to === 'open'
            ? {}
            : { resolution: { required: true, hasDefaultValue: false, allowedValues: [{ id: '1', name: 'Done' }] } },
      }));
  }
}

const STATUS_NAMES = { open: 'To Do', done: 'Done', wont_do: "Won't Do" } as const;
const TRANSITIONS: Readonly<Record<string, StoredTicket['state']>> = { '11': 'open', '21': 'wont_do', '31': 'done' };

function pageOf<T>(items: readonly T[], query: URLSearchParams): T[] {
  const size = Number(query.get('per_page') ?? 100);
  const page = Number(query.get('page') ?? 1);
  return items.slice((page - 1) * size, page * size);
}

function takeFirst<T>(list: T[], matches: (item: T) => boolean): T | undefined {
  const index = list.findIndex(matches);
  return index === -1 ? undefined : list.splice(index, 1)[0];
}

function textIn(body: unknown): string {
  if (typeof body === 'string') return body.replaceAll('\\', '');
  if (typeof body !== 'object' || body === null) return '';
  return Object.values(body)
    .map((part) => (typeof part === 'string' ? part : textIn(part)))
    .join(' ');
}
