import { Global, Module } from '@nestjs/common';
import { RequestTraces } from './request-traces';
import { SpanExporter } from './span-exporter';
import { Tracer } from './tracer';

@Global()
@Module({ providers: [RequestTraces, SpanExporter, Tracer], exports: [RequestTraces, SpanExporter, Tracer] })
export class TracingModule {}
