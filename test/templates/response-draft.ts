import type { Page } from '../../src/engine/page';
import { Headers } from '../../src/engine/transport/headers';

/** No response can be made, with the reason. */
export class NoResponse extends Error {}

const ENTIRE = new Set(['all', 'response']);
const HEAD = new Set(['header', 'all_headers']);

/** In a body a text in the place of `.*` looks more like one. In a header field a blank may be too much. */
export const lengthsFor = (part: string): readonly boolean[] => (part === 'body' ? [true, false] : [false, true]);

/** A response that is being made. */
export class ResponseDraft {
  status: number | null = null;
  seconds = 0;
  /** Of the whole body. */
  length: number | null = null;
  private readonly pieces: Buffer[] = [];
  private readonly fields: [string, string][] = [];
  private entireBody: string | null = null;
  /** What a JSON extractor finds. */
  document: unknown;

  get body(): Buffer {
    const words = Buffer.concat(this.pieces.flatMap((piece, at) => (at === 0 ? [piece] : [Buffer.from('\n'), piece])));
    if (this.document !== undefined) {
      if (typeof this.document !== 'object' || this.document === null)
        return Buffer.from(JSON.stringify(this.document));
      const text = JSON.stringify(this.document, null, 0);
      return this.pieces.every((piece) => text.includes(piece.toString()))
        ? Buffer.from(text)
        : Buffer.concat([
            Buffer.from(text.slice(0, -1)),
            Buffer.from(this.pieces.length > 0 && text.length > 2 ? ',"' : '"'),
            words,
            Buffer.from(`":0}`),
          ]);
    }
    if (this.entireBody !== null) return Buffer.from(this.entireBody);
    return this.length === null || this.length <= words.length
      ? words
      : Buffer.concat([words, Buffer.alloc(this.length - words.length, ' ')]);
  }

  setStatus(status: number): void {
    if (this.status !== null && this.status !== status) throw new NoResponse('a response has two statuses');
    this.status = status;
  }

  avoidStatus(status: number): void {
    if ((this.status ?? 200) === status) this.setStatus(status === 404 ? 418 : 404);
  }

  setBody(text: string): void {
    this.entireBody = text;
  }

  addBytes(bytes: Buffer): void {
    if (!this.pieces.some((piece) => piece.includes(bytes))) this.pieces.push(bytes);
  }

  /** Puts a text into a part of the response. `first` before what is there. */
  add(part: string, text: string, place: 'first' | 'last' | 'whole' = 'last'): void {
    if (part === 'body' || ENTIRE.has(part)) this.addToBody(part, text, place);
    else if (HEAD.has(part)) this.addToHead(text);
    else this.setField(part.replaceAll('_', '-'), text, place);
  }

  private addToBody(part: string, text: string, place: 'first' | 'last' | 'whole'): void {
    const isField = ENTIRE.has(part) && /^(?:HTTP\/|[\w-]{3,}: )/.test(text);
    if (isField) this.addToHead(text);
    else if (place === 'whole') this.setBody(text);
    else if (place === 'first') this.pieces.unshift(Buffer.from(text));
    else this.addBytes(Buffer.from(text));
  }

  /** A text of the head is a field, a part of one, or the status line. */
  private addToHead(text: string): void {
    const [, status] = /^HTTP\/1\.[01x]? (\d{3})/.exec(text) ?? [];
    if (status !== undefined) return this.setStatus(Number(status));
    for (const line of text.split(/\r?\n/).filter((one) => one.trim() !== '')) {
      const [, name, value] = /^\s*([\w-]+):(.*)$/.exec(line) ?? [];
      const cookie = /^[\w.-]+=/.test(line) && !line.includes(' ');
      if (name !== undefined && value !== undefined) this.setField(name, value.trim(), 'last');
      else this.setField(cookie ? 'set-cookie' : `x-part-${this.fields.length}`, line.trimEnd(), 'last');
    }
  }

  provideField(name: string): void {
    if (!this.fields.some(([field]) => field.toLowerCase() === name.toLowerCase())) this.fields.push([name, '']);
  }

  setField(name: string, value: string, place: 'first' | 'last' | 'whole' = 'last'): void {
    if (/[\r\n]/.test(value)) throw new NoResponse('a header field would have two lines');
    const known = this.fields.find(([field]) => field.toLowerCase() === name.toLowerCase());
    if (known === undefined || name.toLowerCase() === 'set-cookie') this.fields.push([name, value]);
    else if (place === 'whole' || known[1] === '') known[1] = value;
    else if (!known[1].includes(value)) known[1] = place === 'first' ? `${value}${known[1]}` : `${known[1]} ${value}`;
  }

  page(url: string): Page {
    const body = this.body;
    const has = (name: string): boolean => this.fields.some(([field]) => field.toLowerCase() === name);
    const length: [string, string][] = has('content-length') ? [] : [['Content-Length', String(body.length)]];
    return {
      url,
      status: this.status ?? 200,
      headers: new Headers([...this.fields, ...length]),
      body,
      text: body.toString(),
      tls: null,
      hops: [],
      ms: this.seconds * 1_000 + 1,
      address: '192.0.2.1',
    };
  }
}
