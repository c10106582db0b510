import { randomBytes } from 'node:crypto';
import type { Conversation } from '../transport/conversation';
import type { CertificateFacts } from '../transport/exchange';
import type { Field } from '../transport/client-identity';
import type { Place } from '../transport/route';
import { type Candidate, candidatesAt, isForGreetings, usuallyAt } from './candidates';
import type { PortSeen, Statement } from './host-seen';
import { PROTOCOLS } from './protocols';
import { latin, type Protocol } from './protocols/protocol';
import { DEFAULT_WAITS, type Waits } from './waits';
import { WebLook } from './web-look';

const MOST_TURNS = 4;

/** An answer that only repeats the request proves nothing. */
const isEcho = (answer: Buffer, said: Buffer | string): boolean => {
  const head = Buffer.from(said).subarray(0, 16);
  return answer.subarray(0, head.length).equals(head);
};

export type OpenLine = (talk: (line: Conversation) => Promise<void>) => Promise<void>;

/** The port of a URL. */
export interface WebPort {
  readonly port: number;
  readonly isTls: boolean;
}

/** Identifies the service of an open port with as few connections as possible. */
export class PortLook {
  private service: string | null = null;
  private security: PortSeen['security'] = null;
  private certificate: CertificateFacts | null = null;
  private candidates: Candidate[];
  private readonly texts: Statement[] = [];
  private awaitsGreeting = true;
  private closedAtOnce = 0;
  private isLate = false;
  private wasHeard = false;
  private web: WebLook | null = null;
  private end: number;
  /** The answers to the hellos of other protocols. */
  private readonly answers = new Map<Candidate, Buffer>();

  constructor(
    private readonly place: Place,
    private readonly identity: readonly Field[],
    private readonly waits: Waits = DEFAULT_WAITS,
    /** Only tries TLS, HTTP and what is usual at this port, because other ports of the host were mute. */
    private readonly isBrief = false,
    /** Set for a port where something else may listen: only this page is requested. */
    private readonly page: WebPort | null = null,
  ) {
    this.end = performance.now() + waits.port;
    this.candidates = this.candidatesBelow(['tls']);
  }

  private candidatesBelow(below: readonly Candidate[]): Candidate[] {
    const { port } = this.place;
    if (this.page !== null) return this.page.isTls && below.length > 0 ? ['tls'] : ['http'];
    const all = candidatesAt(port, below);
    return this.isBrief ? all.filter((one) => typeof one === 'string' || usuallyAt(one, port)) : all;
  }

  get isDone(): boolean {
    const isWebDone = this.web === null || this.web.isDone;
    return performance.now() > this.end || (isWebDone && this.candidates.length === 0);
  }

  /** What the service stated about itself. */
  get statements(): readonly Statement[] {
    return [...this.texts, ...(this.web?.statements ?? [])];
  }

  /** Whether it accepts connections but has never sent a byte. */
  get isMute(): boolean {
    return this.service === null && this.security === null && !this.wasHeard;
  }

  get seen(): Omit<PortSeen, 'port' | 'state' | 'technologies'> {
    const { service, security, certificate } = this;
    return { service, security, certificate };
  }

  /** Uses one connection. */
  async talk(line: Conversation): Promise<void> {
    await this.goOn(line);
    this.end += line.waitedMs;
  }

  private async goOn(line: Conversation): Promise<void> {
    if (this.security === 'tls' && !(await line.secure(this.waits.tls))) return this.giveUp();
    if (this.web !== null && !this.web.isDone) return this.askWeb(line, this.web);
    await this.tryNext(line);
  }

  private async tryNext(line: Conversation): Promise<void> {
    if (this.awaitsGreeting && (await this.isGreeted(line))) return;
    if (line.isOver) return this.retryOnce();
    const candidate = this.candidates.shift();
    if (candidate === undefined) return;
    if (candidate === 'tls') return this.trySecurely(line);
    if (candidate === 'http')
      return this.askWeb(line, new WebLook(this.place, this.identity, this.security === 'tls', this.waits.http));
    const found = await this.met(candidate, line, []);
    if (!found) this.reorder();
  }

  private async trySecurely(line: Conversation): Promise<void> {
    if (!(await line.secure(this.waits.tls))) return;
    this.security = 'tls';
    this.certificate = line.tls?.certificate ?? null;
    this.service = null;
    this.web = null;
    this.answers.clear();
    this.awaitsGreeting = true;
    this.candidates = this.candidatesBelow([]);
    await this.tryNext(line);
  }

  private async askWeb(line: Conversation, web: WebLook): Promise<void> {
    const noHttp = await web.ask(line);
    if (web.service === null) {
      this.answers.set('http', noHttp);
      this.wasHeard ||= noHttp.length > 0;
      // Some servers send their greeting late, after the request has arrived.
      this.isLate = PROTOCOLS.some(({ greets }) => greets?.(noHttp) === true);
      this.awaitsGreeting = this.isLate;
      return this.reorder();
    }
    this.web = web;
    this.service = web.service;
    this.candidates = web.isRefused ? this.candidates.filter((one) => one === 'tls') : [];
  }

  private async isGreeted(line: Conversation): Promise<boolean> {
    this.awaitsGreeting = false;
    const greeting = await line.hear({ isWhole: isKnownGreeting, ms: this.greetingMs(), quietMs: this.waits.quiet });
    if (greeting.length === 0) return false;
    this.wasHeard = true;
    if (latin(greeting.subarray(0, 7)) === 'HTTP/1.') return true;
    this.candidates = [];
    const greeters = PROTOCOLS.filter(({ greets }) => greets?.(greeting) === true);
    const likely = (one: Protocol): number =>
      Number(one.suggestedBy?.test(latin(greeting.subarray(0, 1_000))) === true) * 2 +
      Number(usuallyAt(one, this.place.port));
    for (const protocol of greeters.sort((a, b) => likely(b) - likely(a))) {
      if (await this.met(protocol, line, [greeting])) break;
    }
    return true;
  }

  private greetingMs(): number {
    const { port } = this.place;
    if (this.isLate) return this.waits.greeting.late;
    if (isForGreetings(port)) return this.waits.greeting.likely;
    const [first] = this.candidates;
    const { unlikely, unknown } = this.waits.greeting;
    return first !== undefined && usuallyAt(first, port) ? unlikely : unknown;
  }

  /** Whether the server speaks this protocol. */
  private async met(protocol: Protocol, line: Conversation, greeting: readonly Buffer[]): Promise<boolean> {
    const heard = [...greeting];
    const nonce = randomBytes(8);
    for (let hello = protocol.hello?.(heard, nonce) ?? null; hello !== null && heard.length < MOST_TURNS;) {
      line.say(hello);
      const { isWhole = () => false } = protocol;
      const answer = await line.hear({ isWhole, ms: this.waits.hello, quietMs: this.waits.quiet });
      this.answers.set(protocol, answer);
      this.wasHeard ||= answer.length > 0;
      if (answer.length === 0 || isEcho(answer, hello) || heard.some((one) => one.equals(answer))) return false;
      heard.push(answer);
      hello = protocol.hello?.(heard, nonce) ?? null;
    }
    const texts = this.isRepeated(protocol) ? null : protocol.read(heard, nonce);
    if (texts === null) return false;
    const isSecured = await this.startTls(protocol, line, heard);
    const { service, overTls, startTls } = protocol;
    const more = isSecured && startTls?.asks !== undefined ? [await this.askOnce(startTls.asks, line)] : [];
    if (startTls?.isProof === true && startTls.isOffered(heard) && !isSecured) return false;
    this.candidates = [];
    this.service = this.security === 'tls' ? (overTls ?? service) : service;
    const source = `${greeting.length > 0 ? 'greeting' : 'answer'} of ${this.service} at port ${this.place.port}`;
    this.texts.push(...[...texts, ...more].map((text) => ({ kind: 'greeting', service, text, source }) as const));
    return true;
  }

  private async askOnce(hello: Buffer, line: Conversation): Promise<string> {
    line.say(hello);
    const answer = await line.hear({ isWhole: () => false, ms: this.waits.hello, quietMs: this.waits.quiet });
    return isEcho(answer, hello) ? '' : latin(answer);
  }

  /** Whether another hello got the same answer: then the answer belongs to neither. */
  private isRepeated(protocol: Protocol): boolean {
    const answer = this.answers.get(protocol);
    return (
      answer !== undefined &&
      [...this.answers].some(([other, earlier]) => other !== protocol && earlier.length > 0 && earlier.equals(answer))
    );
  }

  /** Whether the connection continues with TLS, for protocols that begin without it. */
  private async startTls({ startTls }: Protocol, line: Conversation, heard: readonly Buffer[]): Promise<boolean> {
    if (this.security !== null || startTls?.isOffered(heard) !== true) return false;
    const { command, isAccepted } = startTls;
    if (command !== undefined) line.say(command);
    if (isAccepted !== undefined) {
      const answer = await line.hear({ isWhole: isAccepted, ms: this.waits.hello, quietMs: this.waits.quiet });
      if (!isAccepted(answer)) return false;
    }
    if (!(await line.secure(this.waits.tls))) return false;
    this.security = 'starttls';
    this.certificate = line.tls?.certificate ?? null;
    return true;
  }

  /** Moves the protocols that an answer suggests to the front. */
  private reorder(): void {
    const texts = [...this.answers.values()].map((answer) => latin(answer.subarray(0, 1_000)));
    const isSuggested = (one: Candidate): boolean =>
      typeof one === 'object' && texts.some((text) => one.suggestedBy?.test(text) === true);
    this.candidates = [...this.candidates.filter(isSuggested), ...this.candidates.filter((one) => !isSuggested(one))];
  }

  /** A server that closes each connection before sending a byte only serves other clients. */
  private retryOnce(): void {
    this.closedAtOnce += 1;
    this.awaitsGreeting = true;
    if (this.closedAtOnce > 1) this.giveUp();
  }

  private giveUp(): void {
    this.candidates = [];
    this.web = null;
  }
}

const isKnownGreeting = (heard: Buffer): boolean =>
  heard.length > 0 && PROTOCOLS.some(({ greets }) => greets?.(heard) === true);
