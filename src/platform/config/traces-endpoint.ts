import type { Config } from './load-config';

/** Where spans are sent; undefined if traces are off. By the specification the general endpoint gets a path. */
export function tracesEndpoint({
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ofTraces,
  OTEL_EXPORTER_OTLP_ENDPOINT: general,
}: Pick<Config, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' | 'OTEL_EXPORTER_OTLP_ENDPOINT'>): string | undefined {
  if (ofTraces !== undefined) return ofTraces;
  return general === undefined ? undefined : `${general.replace(/(?<!\/)\/+$/, '')}/v1/traces`;
}
