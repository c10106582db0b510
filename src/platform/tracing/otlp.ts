import type { TraceContext } from '../../kernel/trace-context';

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue | null | undefined>>;

export interface RecordedSpan {
  readonly context: TraceContext;
  readonly parentSpanId: string | undefined;
  readonly kind: SpanKind;
  readonly name: string;
  /** In milliseconds since 1970. */
  readonly started: number;
  readonly ended: number;
  readonly attributes: Attributes;
  readonly failed: boolean;
}

/** Numbers of the protocol. */
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 };
const STATUS_ERROR = 2;

/** The body of a request to a collector: OTLP in JSON, https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export const otlpRequest = (spans: readonly RecordedSpan[], resource: Attributes, version: string): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource) },
        scopeSpans: [{ scope: { name: 'assay', version }, spans: spans.map(otlpSpan) }],
      },
    ],
  });

const otlpSpan = ({ context, parentSpanId, kind, name, started, ended, attributes, failed }: RecordedSpan) => ({
  traceId: context.traceId,
  spanId: context.spanId,
  traceState: context.state,
  parentSpanId,
  name,
  kind: KINDS[kind],
  startTimeUnixNano: nanoseconds(started),
  endTimeUnixNano: nanoseconds(ended),
  attributes: keyValues(attributes),
  status: failed ? { code: STATUS_ERROR } : {},
});

/** Whole microseconds are exact in a number, nanoseconds are not. */
const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1_000)}000`;

const keyValues = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ key, value: otlpValue(value) }],
  );

function otlpValue(value: AttributeValue) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
