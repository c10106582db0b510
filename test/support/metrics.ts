interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  readonly text: string;
  readonly series: readonly Series[];
}

/** What Prometheus reads from an address. */
export async function scrape(url: string, accept?: string): Promise<Scrape> {
  const answer = await fetch(url, { headers: accept === undefined ? {} : { accept } });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { text, series: lines.map(seriesOf) };
}

function seriesOf(line: string): Series {
  const [, name = '', labels = '', value] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (value === undefined) throw new Error(`not a line of metrics: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [label, text]);
  return {
    name,
    labels: Object.fromEntries(pairs) as Record<string, string>,
    value: Number(value.replace('Inf', 'Infinity')),
  };
}

/** The sum of all series with these labels. */
export const valueOf = ({ series }: Scrape, name: string, labels: Record<string, string> = {}): number =>
  series
    .filter((one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
