import { type Benchmark, CATEGORIES, type Category, type Scanned } from './benchmark';

/** What one scanner found on one application. */
export interface Result extends Scanned {
  readonly scanner: string;
  readonly requests: number;
  readonly seconds: number;
}

export interface Count {
  readonly category: Category;
  readonly known: number;
  readonly found: readonly string[];
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

export function countsOf({ weaknesses, judge }: Benchmark, { reports }: Scanned): Count[] {
  return CATEGORIES.flatMap((category): Count[] => {
    const found = new Set<string>();
    const wrong = new Set<string>();
    for (const report of reports.filter((one) => one.category === category)) {
      const judgement = judge(report);
      if (judgement === 'false') wrong.add(`${category} ${report.path} ${report.parameter}`);
      else if (judgement !== 'aside') found.add(judgement.weakness);
    }
    const known = weaknesses.get(category) ?? [];
    const missed = known.filter((one) => !found.has(one));
    const isEmpty = known.length + wrong.size === 0;
    return isEmpty ? [] : [{ category, known: known.length, found: [...found], missed, wrong: [...wrong] }];
  });
}

const sum = (counts: readonly Count[], value: (count: Count) => number): number =>
  counts.reduce((total, count) => total + value(count), 0);

const cell = (counts: readonly Count[]): string => {
  const wrong = sum(counts, (count) => count.wrong.length);
  return `${sum(counts, (count) => count.found.length)} (${wrong})`;
};

/** One row for each class of weakness: what is known, and of each scanner what it found (and what of it is false). */
export function tableOf(rows: readonly (readonly [Benchmark, readonly Result[]])[]): string {
  const scanners = rows[0]?.[1].map(({ scanner }) => scanner) ?? [];
  const lines = [
    ['Application', 'Class', 'Known', ...scanners.map((scanner) => `${scanner}: true (false)`)],
    ['---', '---', '---:', ...scanners.map(() => '---:')],
  ];
  for (const [benchmark, results] of rows) {
    const counts = results.map((result) => countsOf(benchmark, result));
    for (const category of CATEGORIES) {
      const own = counts.map((all) => all.filter((count) => count.category === category));
      const known = own.flat()[0]?.known;
      if (known !== undefined) lines.push([benchmark.name, category, String(known), ...own.map(cell)]);
    }
    const total = sum(counts[0] ?? [], ({ known }) => known);
    lines.push([benchmark.name, 'all', String(total), ...counts.map(cell)]);
    const cost = ({ requests, seconds }: Result): string => `${requests}, ${Math.round(seconds)} s`;
    lines.push([benchmark.name, 'requests, time', '', ...results.map(cost)]);
  }
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}
