import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type OtlpValue = { stringValue?: string; intValue?: string; boolValue?: boolean; doubleValue?: number };
type OtlpAttributes = { key: string; value: OtlpValue }[];

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: OtlpAttributes;
  readonly status: { code?: number };
}

interface OtlpRequest {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: OtlpAttributes };
    readonly scopeSpans: { readonly spans: OtlpSpan[] }[];
  }[];
}

/** A span with its attributes by name. */
export type ReceivedSpan = Omit<OtlpSpan, 'attributes'> & {
  readonly attributes: Record<string, string | number | boolean | undefined>;
};

const valueOf = ({ stringValue, intValue, boolValue, doubleValue }: OtlpValue) =>
  stringValue ?? boolValue ?? doubleValue ?? Number(intValue);

const byName = (attributes: OtlpAttributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

type AnswerRequest = (response: ServerResponse) => void;

export const accept: AnswerRequest = (response) => response.setHeader('content-type', 'application/json').end('{}');

/** A collector on loopback that keeps what it receives. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  readonly resources: Record<string, unknown>[] = [];
  answer: AnswerRequest = accept;
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      this.requests.push({ path: request.url ?? '', headers: request.headers, body });
      if (body !== '') this.keep(JSON.parse(body) as OtlpRequest);
      this.answer(response);
    });
  });

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  of(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  private keep({ resourceSpans }: OtlpRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resources.push(byName(resource.attributes));
      for (const { spans } of scopeSpans)
        this.spans.push(...spans.map((span) => ({ ...span, attributes: byName(span.attributes) })));
    }
  }
}
