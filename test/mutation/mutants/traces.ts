import type { Mutant } from '../mutant';

const exporter = 'src/platform/tracing/span-exporter.ts';
const exporterSpec = 'src/platform/tracing/span-exporter.spec.ts';
const e2e = 'test/e2e/traces.spec.ts';

/** What metrics and traces contain, and that they never disturb the service. */
export const traces: readonly Mutant[] = [
  {
    name: 'metrics: what is declared after the first scrape is missing in the format of Prometheus',
    file: 'src/platform/metrics/metrics-server.ts',
    search: 'isOpen ? openMetricsOf(this.metrics.registry)',
    replace: "isOpen ? (this['open'] ??= openMetricsOf(this.metrics.registry))",
    spec: 'test/e2e/metrics.spec.ts',
    test: 'shows a metric that is declared after the start',
  },
  {
    name: 'traces: any number of spans waits for the collector',
    file: exporter,
    search: 'if (this.queue.length < MAX_QUEUE) this.queue.push(span);',
    replace: 'if (this.queue.length < Infinity) this.queue.push(span);',
    spec: exporterSpec,
    test: 'keeps a bounded number of spans',
  },
  {
    name: 'traces: a process that ends waits for a collector that hangs',
    file: exporter,
    search: 'await Promise.race([this.flush(), late]);',
    replace: 'await this.flush(); await late;',
    spec: exporterSpec,
    test: 'keeps a bounded number of spans',
  },
  {
    name: 'traces: the headers for the collector follow a redirect',
    file: exporter,
    search: `redirect: 'manual'`,
    replace: `redirect: 'follow'`,
    spec: exporterSpec,
    test: 'does not follow a redirect',
  },
  {
    name: 'traces: every failure is a line of the log',
    file: exporter,
    search: 'if (this.hasFailed || now - this.lastWarning < WARNING_INTERVAL_MS) return;',
    replace: '',
    spec: exporterSpec,
    test: 'logs one line for many failures',
  },
  {
    name: 'traces: callers may ask for any number of traces',
    file: 'src/platform/tracing/sampler.ts',
    search: 'return this.requested <= MAX_REQUESTED_PER_SECOND;',
    replace: 'return true;',
    spec: 'src/platform/tracing/sampler.spec.ts',
    test: 'at most ten traces a second',
  },
  {
    name: 'traces: callers that choose ids may have any number of traces',
    file: 'src/platform/tracing/sampler.ts',
    search: 'this.ratio === 1 || this.mayRequest()',
    replace: 'this.isInRatio(traceId) || this.mayRequest()',
    spec: 'src/platform/tracing/sampler.spec.ts',
    test: 'records as many traces of a second',
  },
  {
    name: 'traces: a traceparent without a trace id is valid',
    file: 'src/kernel/trace-context.ts',
    search: '(?!0{32})',
    replace: '',
    spec: 'src/kernel/trace-context.spec.ts',
    test: 'ignores',
  },
  {
    name: 'traces: spans have the id that an organization gave to its check',
    file: 'src/modules/retests/exchange-traces.ts',
    search: 'BUILT_IN.has(check) ? check?.id : TEMPLATE',
    replace: 'BUILT_IN.size > 0 ? check?.id : TEMPLATE',
    spec: e2e,
    test: 'calls all checks of organizations template',
  },
  {
    name: 'traces: audit entries of work have no trace',
    file: 'src/platform/work/work-audit.ts',
    search: 'organizationId, trace, ...description',
    replace: 'organizationId, ...description',
    spec: e2e,
    test: 'names the check of an exchange',
  },
  {
    name: 'traces: the collector may be a target',
    file: 'src/platform/config/own-listeners.ts',
    search: `    serverOf('the collector of traces', collector, collector?.startsWith('https:') ? 443 : 80),\n`,
    replace: '',
    spec: 'src/platform/config/load-config.spec.ts',
    test: 'the collector of traces and EGRESS_DENY',
  },
];
