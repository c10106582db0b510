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

interface Column {
  readonly count: number;
  /** The list behind the column. The table has the same link for keyboards. */
  readonly href: string;
}

interface Pair {
  readonly one: Column;
  readonly other: Column;
}

interface PairedColumnsProps extends Omit<AxesProps, 'end'> {
  readonly pairs: readonly Pair[];
  readonly names: readonly [string, string];
}

/** Two columns beside each other for each stretch of time. */
export function PairedColumns({ pairs, names, ...axes }: PairedColumnsProps): VNode {
  const end = axisEnd(pairs.flatMap(({ one, other }) => [one.count, other.count]));
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
            {[one, other].map(({ count, href }, place) => (
              <a key={place} href={href} tabIndex={-1}>
                <rect
                  class={place === 0 ? 'found' : 'fixed'}
                  x={left + place * (width + 1)}
                  y={PLOT.bottom - height(count)}
                  width={width}
                  height={height(count)}
                />
              </a>
            ))}
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
  /** The list behind the bar. */
  readonly href: string;
  /** The parts of the bar, from left to right. Each is paler than the part after it. */
  readonly parts: readonly number[];
  readonly value: string;
  readonly class?: string;
}

const BAR_LENGTH = 100;
const SHADES = [0.35, 0.55, 0.78, 1];

/** One bar in each row, with its label on the left and its value on the right. */
export function Bars({ bars, end }: { bars: readonly Bar[]; end?: number }): VNode {
  const sumOf = ({ parts }: Bar): number => parts.reduce((sum, part) => sum + part, 0);
  const longest = end ?? Math.max(1, ...bars.map(sumOf));
  return (
    <ul class="bars">
      {bars.map((bar) => {
        let left = 0;
        return (
          <li key={bar.key} class={bar.class}>
            <a href={bar.href} dir="auto">
              {bar.label}
            </a>
            <svg viewBox={`0 0 ${BAR_LENGTH} 10`} preserveAspectRatio="none" aria-hidden="true">
              {bar.parts.map((part, index) => {
                const width = (part / longest) * BAR_LENGTH;
                const shade = SHADES[bar.parts.length === 1 ? SHADES.length - 1 : index];
                left += width;
                return (
                  <rect key={index} x={round(left - width)} width={round(width)} height="10" fill-opacity={shade} />
                );
              })}
            </svg>
            <span>{bar.value}</span>
          </li>
        );
      })}
    </ul>
  );
}
