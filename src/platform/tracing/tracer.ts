import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { TraceContext } from '../../kernel/trace-context';
import { Config } from '../config/load-config';
import type { Attributes, SpanKind } from './otlp';
import { Sampler } from './sampler';
import { SpanExporter } from './span-exporter';

/** What is known of a span when it has ended. Nothing secret, and no name or URL of a tenant. */
export interface SpanResult {
  readonly name: string;
  readonly attributes: Attributes;
  readonly failed?: boolean;
}

export interface Span {
  /** For the spans and the work that follow. While traces are off it is the context that the span was started with. */
  readonly context: TraceContext | undefined;
  readonly end: (result: SpanResult) => void;
}

/** A span that ended before it was reported. */
export interface PastSpan extends SpanResult {
  readonly kind: SpanKind;
  /** In milliseconds since 1970. */
  readonly started: number;
  readonly ms: number;
}

const ignore = (): void => undefined;
const NO_SPAN: Span = { context: undefined, end: ignore };

/** Node.js keeps random UUIDs ready, which makes them cheap. Their last 15 digits are random, as the samplers expect. */
const newTraceId = (): string => randomUUID().replaceAll('-', '');
const newSpanId = (): string => newTraceId().slice(16);

/**
 * Creates the spans of this process. Contexts are passed on explicitly, with requests, units of work and claims, because an
 * `AsyncLocalStorage` would cost time with every promise, also while traces are off.
 */
@Injectable()
export class Tracer {
  private readonly sampler: Sampler;
  private readonly isOn: boolean;

  constructor(
    config: Config,
    private readonly exporter: SpanExporter,
  ) {
    this.sampler = new Sampler(config);
    this.isOn = exporter.isOn;
  }

  /** The first span of a trace in this service, perhaps for a caller that has begun the trace. */
  startRequest(caller: TraceContext | undefined): Span {
    if (!this.isOn) return passedOn(caller);
    const traceId = caller?.traceId ?? newTraceId();
    return this.record('server', { ...caller, traceId, sampled: this.sampler.isSampled(traceId, caller) }, caller);
  }

  /** A part of a trace of this service, which is sampled as its other parts; without a parent, a new trace. */
  start(kind: SpanKind, parent: TraceContext | undefined): Span {
    if (!this.isOn) return passedOn(parent);
    const traceId = parent?.traceId ?? newTraceId();
    const sampled = parent?.sampled ?? this.sampler.isSampled(traceId, undefined);
    return this.record(kind, { ...parent, traceId, sampled }, parent);
  }

  /** Without effect if there is no parent, or if its trace is not sampled. */
  add(parent: TraceContext | undefined, { kind, started, ms, name, attributes, failed = false }: PastSpan): void {
    if (!this.observes(parent)) return;
    const context = { ...parent, spanId: newSpanId() };
    this.exporter.add({
      context,
      parentSpanId: parent.spanId,
      kind,
      name,
      started,
      ended: started + ms,
      attributes,
      failed,
    });
  }

  /** Whether spans below this one are exported. */
  observes(parent: TraceContext | undefined): parent is TraceContext {
    return this.isOn && parent?.sampled === true;
  }

  private record(kind: SpanKind, trace: Omit<TraceContext, 'spanId'>, parent: TraceContext | undefined): Span {
    const context = { ...trace, spanId: newSpanId() };
    if (!context.sampled) return { context, end: ignore };
    const started = Date.now();
    const startedAt = performance.now();
    return {
      context,
      end: ({ name, attributes, failed = false }) =>
        this.exporter.add({
          context,
          parentSpanId: parent?.spanId,
          kind,
          name,
          started,
          ended: started + performance.now() - startedAt,
          attributes,
          failed,
        }),
    };
  }
}

const passedOn = (context: TraceContext | undefined): Span =>
  context === undefined ? NO_SPAN : { context, end: ignore };
