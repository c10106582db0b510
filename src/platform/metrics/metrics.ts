import { Injectable, Logger } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The values of a label: a list, or templates that the code declares, such as the paths of routes. */
type LabelValues = readonly string[] | 'declared in code';

export interface MetricDescription<Label extends string = never> {
  readonly name: `assay_${string}`;
  readonly help: string;
  /** All values of each label. Others count as `other`, so that nothing of a tenant can become a label. */
  readonly labels?: Readonly<Record<Label, LabelValues>>;
}

export interface DeclaredMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
}

type Labels<Label extends string> = Readonly<Record<Label, string>>;
type Observe<Label extends string> = (labels: Labels<Label>, value: number) => void;

/** A value that is read for each scrape. */
export interface GaugeMetric<Label extends string = string> {
  readonly set: Observe<Label>;
  /** Removes all values. */
  readonly clear: () => void;
}

interface Reader {
  readonly name: string;
  readonly gauges: readonly Pick<GaugeMetric, 'clear'>[];
  /** Reads the values, and returns a function that sets them. */
  readonly read: () => Promise<() => void>;
  running: Promise<() => void> | undefined;
}

export const OTHER = 'other';

/** Shorter than the time that Prometheus waits for a scrape, so that an unavailable database does not hide all metrics. */
const READ_MS = 3_000;
/** With at most this many series a counter starts at zero, because Prometheus does not see the first increase otherwise. */
const MAX_INITIAL_SERIES = 64;

/** The metrics of this process. Each is declared by the class that measures it. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  /** What was declared, for the documentation. */
  readonly declared: DeclaredMetric[] = [];
  private readonly logger = new Logger('metrics');
  private readonly readers: Reader[] = [];
  private readonly failures = this.counter({
    name: 'assay_metrics_read_failures_total',
    help: 'Values that could not be read in time for a scrape, and are missing in it',
  });

  /** Returns the function that adds to it. */
  counter<Label extends string = never>(
    description: MetricDescription<Label>,
  ): (labels: Labels<Label>, by?: number) => void {
    const { name, help } = description;
    const bounded = this.declare('counter', description);
    const counter = new Counter({ name, help, labelNames: bounded.names, registers: [this.registry] });
    for (const labels of bounded.all(MAX_INITIAL_SERIES)) counter.inc(labels, 0);
    return (labels, by = 1) => counter.inc(bounded.of(labels), by);
  }

  /** Of durations in seconds. Returns the function that observes one. */
  histogram<Label extends string = never>(
    description: MetricDescription<Label> & { readonly buckets: readonly number[] },
  ): Observe<Label> {
    const { name, help } = description;
    const bounded = this.declare('histogram', description);
    const buckets = [...description.buckets];
    const histogram = new Histogram({ name, help, labelNames: bounded.names, buckets, registers: [this.registry] });
    return (labels, value) => histogram.observe(bounded.of(labels), value);
  }

  gauge<Label extends string = never>(description: MetricDescription<Label>): GaugeMetric<Label> {
    const { name, help } = description;
    const bounded = this.declare('gauge', description);
    const gauge = new Gauge({ name, help, labelNames: bounded.names, registers: [this.registry] });
    return { set: (labels, value) => gauge.set(bounded.of(labels), value), clear: () => gauge.reset() };
  }

  /** A counter whose value something else counts. */
  total(description: MetricDescription, read: () => number): void {
    this.declare('counter', description);
    const counter = new Counter({
      ...description,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
    counter.inc(0);
  }

  /** Reads gauges before each scrape. A scrape does not wait long for them, and simultaneous ones read once. */
  onScrape(name: string, gauges: readonly Pick<GaugeMetric, 'clear'>[], read: () => Promise<() => void>): void {
    this.readers.push({ name, gauges, read, running: undefined });
  }

  async refresh(): Promise<void> {
    await Promise.all(this.readers.map((reader) => this.readInTime(reader)));
  }

  private declare<Label extends string>(type: DeclaredMetric['type'], description: MetricDescription<Label>) {
    const bounded = boundedLabels(description);
    this.declared.push({ name: description.name, type, help: description.help, labels: bounded.names });
    return bounded;
  }

  private async readInTime(reader: Reader): Promise<void> {
    reader.running ??= reader.read().finally(() => (reader.running = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`not read within ${READ_MS} ms`)), READ_MS);
    });
    try {
      const set = await Promise.race([reader.running, late]);
      for (const { clear } of reader.gauges) clear();
      set();
    } catch (error) {
      for (const { clear } of reader.gauges) clear();
      this.failures({});
      this.logger.warn(`${reader.name}: ${String(error)}`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Replaces values of labels that are not declared. */
function boundedLabels<Label extends string>({ labels }: MetricDescription<Label>) {
  const declared = Object.entries<LabelValues>(labels ?? {}) as [Label, LabelValues][];
  const known = declared.map(
    ([name, values]) => [name, values === 'declared in code' ? null : new Set(values)] as const,
  );
  return {
    names: declared.map(([name]) => name),
    of(given: Labels<Label>): Record<Label, string> {
      const result = {} as Record<Label, string>;
      for (const [name, values] of known) {
        const value: string = given[name];
        result[name] = values === null || values.has(value) ? value : OTHER;
      }
      return result;
    },
    /** All combinations; none if there are more than `limit`, or if they are not known. */
    all(limit: number): Record<Label, string>[] {
      let combinations = [{} as Record<Label, string>];
      for (const [name, values] of known) {
        if (values === null || combinations.length * values.size > limit) return [];
        combinations = combinations.flatMap((labels) => [...values].map((value) => ({ ...labels, [name]: value })));
      }
      return combinations;
    },
  };
}
