import { randomBytes } from 'node:crypto';
import type { Conversation } from '../transport/conversation';
import type { Field } from '../transport/client-identity';
import { originOf } from '../transport/http';
import type { Place } from '../transport/route';
import type { Statement } from './host-seen';
import { fieldOf, type HttpResponse, readHttpResponse } from './http-response';
import { iconHashOf, iconPath, nextPath } from './technologies/further-paths';
import { WEB_SERVICES } from './web-services';

const MOST_BYTES = 262_144;
/** The status of servers that expect TLS. They are asked again with TLS. */
const BAD_REQUEST = 400;
const OK = 200;

type HttpStatement = Extract<Statement, { kind: 'http' }>;

/** The requests to one port that speaks HTTP, as many as possible on one connection. */
export class WebLook {
  readonly statements: HttpStatement[] = [];
  /** Null until a response is HTTP. */
  service: string | null = null;
  /** Whether the answer may mean that the server wants TLS. */
  isRefused = false;
  private readonly waiting = ['/'];
  /** Not counting the icon and the missing path. */
  private readonly pages: HttpStatement[] = [];
  /** The error page for a missing path shows which software makes the errors of the site. */
  private readonly missing = `/${randomBytes(6).toString('hex')}`;
  private icon = '';
  private readonly origin: string;

  constructor(
    place: Place,
    private readonly identity: readonly Field[],
    isTls: boolean,
    private readonly answerMs: number,
  ) {
    this.plainService = isTls ? 'https' : 'http';
    this.origin = originOf({ scheme: this.plainService, host: place.host, port: place.port });
  }

  private readonly plainService: 'http' | 'https';

  get isDone(): boolean {
    return this.waiting.length === 0;
  }

  /** Sends the remaining requests on this connection until the server ends it. Returns what was received if it is not HTTP. */
  async ask(line: Conversation): Promise<Buffer> {
    for (let path = this.waiting.shift(), asked = 0; path !== undefined; path = this.waiting.shift(), asked += 1) {
      await line.waitForRequest();
      line.say(this.request(path));
      const isWhole = (heard: Buffer): boolean => readHttpResponse(heard)?.isWhole === true;
      const heard = await line.hear({ isWhole, ms: this.answerMs, bytes: MOST_BYTES });
      const answer = readHttpResponse(heard);
      if (answer === null) {
        // The server closed the connection before the next request had its turn.
        if (asked > 0 && line.isOver && heard.length === 0) this.waiting.unshift(path);
        return heard;
      }
      this.take(path, answer);
      if (!answer.isWhole || !answer.staysOpen) break;
    }
    return Buffer.alloc(0);
  }

  private request(path: string): string {
    const fields: Field[] = [['Host', new URL(this.origin).host], ...this.identity, ['Accept-Encoding', 'identity']];
    const once = new Map(fields.map((field) => [field[0].toLowerCase(), field]));
    return `GET ${path} HTTP/1.1\r\n${[...once.values()].map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  }

  private take(path: string, answer: HttpResponse): void {
    const statement = this.statementOf(path, answer);
    this.statements.push(statement);
    const known = WEB_SERVICES.find(({ asks, isIts }) => (asks?.path ?? '/') === path && isIts(answer));
    this.service = known?.service ?? this.service ?? this.plainService;
    this.isRefused ||= path === '/' && answer.status === BAD_REQUEST && this.plainService === 'http';
    if (known !== undefined || this.isRefused) {
      this.waiting.length = 0;
      return;
    }
    if (path === this.missing || path === this.icon) return;
    this.pages.push(statement);
    if (path === '/') {
      this.icon = iconPath(statement);
      const further = WEB_SERVICES.find(({ asks }) => asks?.isWorthIt(answer))?.asks?.path;
      this.waiting.push(...(further === undefined ? [] : [further]), this.missing, this.icon);
    }
    const next = nextPath(this.pages);
    if (next !== null && !this.waiting.includes(next)) this.waiting.push(next);
  }

  private statementOf(path: string, answer: HttpResponse): HttpStatement {
    const { status, headers, body, isWhole } = answer;
    const isReadable = /^(?:identity)?$/i.test(fieldOf(answer, 'content-encoding'));
    const isIcon =
      path === this.icon &&
      status === OK &&
      isWhole &&
      body.length > 0 &&
      /^(?:image\/|application\/octet-stream|$)/i.test(fieldOf(answer, 'content-type'));
    return {
      kind: 'http',
      url: `${this.origin}${path}`,
      status,
      headers,
      body: isReadable && !isIcon ? body.toString('utf8') : '',
      ...(isIcon && isReadable ? { iconHash: iconHashOf(body) } : {}),
    };
  }
}
