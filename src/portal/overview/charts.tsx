import type { ComponentChildren, VNode } from 'preact';
import { Card } from '../frame/card';

/** The drawings have this width in their own units, and grow and shrink with the page. */
const WIDTH = 480;

interface ChartProps {
  readonly id: string;
  /** A sentence with what the chart shows. */
  readonly message: string;
  readonly table: VNode;
  readonly children: ComponentChildren;
}

/** A drawing below its message, and the same numbers as a table. */
export const Chart = ({ id, message, table, children }: ChartProps): VNode => (
  <Card id={id} title={message} class="chart">
    {children}
    <details>
      <summary>Show the numbers</summary>
      {table}
    </details>
  </Card>
);

const Drawing = ({ height, children }: { height: number; children: ComponentChildren }): VNode => (
  // The table has the same numbers for screen readers.
  <svg class="drawing" viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
    {children}
  </svg>
);

/** The end of an axis: an even round number, at least as large as every value. */
function axisEnd(values: readonly number[]): number {
  const most = Math.max(2, ...values);
  const power = 10 ** Math.floor(Math.log10(most));
  return [2, 4, 6, 10].map((step) => step * power).find((end) => end >= most) ?? most;
}

const PLOT = { left: 36, right: WIDTH - 64, top: 12, bottom: 148 };
const PLOT_HEIGHT = 172;

interface Layer {
  readonly name: string;
  readonly label: string;
  readonly values: readonly number[];
}

const round = (value: number): number => Math.round(value * 10) / 10;

interface AxesProps {
  readonly end: number;
  readonly first: string;
  readonly last: string;
}

const Axes = ({ end, first, last }: AxesProps): VNode => (
  <>
    {[0, end / 2, end].map((value) => {
      const y = PLOT.bottom - (value / end) * (PLOT.bottom - PLOT.top);
      return (
        <g key={value}>
          <line class="grid" x1={PLOT.left} x2={PLOT.right} y1={y} y2={y} />
          <text x={PLOT.left - 6} y={y + 4} text-anchor="end" class="faint">
            {value}
          </text>
        </g>
      );
    })}
    <text x={PLOT.left} y={PLOT_HEIGHT - 4} class="faint">
      {first}
    </text>
    <text x={PLOT.right} y={PLOT_HEIGHT - 4} text-anchor="end" class="faint">
      {last}
    </text>
  </>
);

const LABEL_HEIGHT = 15;

/** Layers on top of each other over time, each with its name at its right end. */
export function StackedAreas({ layers, ...axes }: { layers: readonly Layer[] } & Omit<AxesProps, 'end'>): VNode {
  const count = layers[0]?.values.length ?? 0;
  const totals = Array.from({ length: count }, (_point, index) =>
    layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
  const end = axisEnd(totals);
  const x = (index: number): number => round(PLOT.left + (index / Math.max(1, count - 1)) * (PLOT.right - PLOT.left));
  const y = (value: number): number => round(PLOT.bottom - (value / end) * (PLOT.bottom - PLOT.top));
  const below = Array.from({ length: count }, () => 0);
  let lastLabel = Infinity;
  return (
    <Drawing height={PLOT_HEIGHT}>
      <Axes end={end} {...axes} />
      {layers.map(({ name, label, values }) => {
        const lower = below.map((value, index) => `${x(index)},${y(value)}`).toReversed();
        values.forEach((value, index) => (below[index] = (below[index] ?? 0) + value));
        const upper = below.map((value, index) => `${x(index)},${y(value)}`);
        const last = values.at(-1) ?? 0;
        lastLabel = Math.min(y((below.at(-1) ?? 0) - last / 2) + 4, lastLabel - LABEL_HEIGHT);
        return (
          <g key={name} class={`severity ${name}`}>
            <polygon points={[...upper, ...lower].join(' ')} />
            {last > 0 && (
              <text x={PLOT.right + 6} y={lastLabel}>
                {label}
              </text>
            )}
          </g>
        );
      })}
    </Drawing>
  );
}

interface Pair {
  readonly one: number;
  readonly other: number;
}

interface PairedColumnsProps extends Omit<AxesProps, 'end'> {
  readonly pairs: readonly Pair[];
  readonly names: readonly [string, string];
}

/** Two columns beside each other for each stretch of time. */
export function PairedColumns({ pairs, names, ...axes }: PairedColumnsProps): VNode {
  const end = axisEnd(pairs.flatMap(({ one, other }) => [one, other]));
  const pitch = (PLOT.right - PLOT.left) / Math.max(1, pairs.length);
  const width = round(pitch * 0.36);
  const height = (value: number): number => round((value / end) * (PLOT.bottom - PLOT.top));
  return (
    <Drawing height={PLOT_HEIGHT}>
      <Axes end={end} {...axes} />
      {pairs.map(({ one, other }, index) => {
        const left = round(PLOT.left + pitch * (index + 0.12));
        return (
          <g key={index}>
            <rect class="found" x={left} y={PLOT.bottom - height(one)} width={width} height={height(one)} />
            <rect
              class="fixed"
              x={left + width + 1}
              y={PLOT.bottom - height(other)}
              width={width}
              height={height(other)}
            />
          </g>
        );
      })}
      {names.map((name, index) => (
        <g key={name}>
          <rect class={index === 0 ? 'found' : 'fixed'} x={PLOT.right + 6} y={20 + index * 18} width="8" height="8" />
          <text x={PLOT.right + 18} y={28 + index * 18}>
            {name}
          </text>
        </g>
      ))}
    </Drawing>
  );
}

interface Bar {
  readonly key: string;
  readonly label: string;
  /** The parts of the bar, from left to right. Each is paler than the part after it. */
  readonly parts: readonly number[];
  readonly value: string;
  readonly class?: string;
}

const ROW_HEIGHT = 26;
const MAX_LABEL = 23;
const CHARACTER_WIDTH = 8.5;
const VALUE_WIDTH = 70;
const SHADES = [0.35, 0.55, 0.78, 1];

/** Names of hosts differ at their beginning, and ports and beacons at their end. */
const shortened = (label: string): string => {
  const characters = Array.from(label);
  if (characters.length <= MAX_LABEL) return label;
  return `${characters.slice(0, (MAX_LABEL - 1) / 2).join('')}…${characters.slice((1 - MAX_LABEL) / 2).join('')}`;
};

/** One bar in each row, with its label on the left and its value on the right. */
export function Bars({ bars, end }: { bars: readonly Bar[]; end?: number }): VNode {
  const sumOf = ({ parts }: Bar): number => parts.reduce((sum, part) => sum + part, 0);
  const longest = end ?? Math.max(1, ...bars.map(sumOf));
  const labels = bars.map(({ label }) => shortened(label));
  const labelWidth = 8 + CHARACTER_WIDTH * Math.max(...labels.map(({ length }) => length), 0);
  const room = WIDTH - labelWidth - VALUE_WIDTH;
  return (
    <Drawing height={Math.max(1, bars.length) * ROW_HEIGHT}>
      {bars.map((bar, row) => {
        const top = row * ROW_HEIGHT;
        let left = labelWidth;
        return (
          <g key={bar.key} class={bar.class}>
            <text x={labelWidth - 8} y={top + 17} text-anchor="end" class="name">
              {labels[row]}
            </text>
            {bar.parts.map((part, index) => {
              const width = round((part / longest) * room);
              const shade = SHADES[bar.parts.length === 1 ? SHADES.length - 1 : index];
              const rect = (
                <rect key={index} x={round(left)} y={top + 6} width={width} height="14" fill-opacity={shade} />
              );
              left += width;
              return rect;
            })}
            <text x={round(left) + 8} y={top + 17} class="name">
              {bar.value}
            </text>
          </g>
        );
      })}
    </Drawing>
  );
}
