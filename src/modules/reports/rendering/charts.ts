import { type Markup, markup } from './markup';
import { PALETTE } from './palette';

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly colour: string;
}

export interface TimelineInterval {
  readonly label: string;
  readonly found: number;
  readonly resolved: number;
}

interface ChartOptions {
  /** The text alternative for screen readers. */
  readonly title: string;
  readonly width: number;
  /** By default the font of the surrounding page. */
  readonly font?: string;
}

/** The end of an axis: a round number, at least as large as every value. */
export function axisEnd(values: readonly number[]): number {
  const most = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((end) => end >= most) ?? most;
}

const rounded = (length: number): number => Math.round(length * 100) / 100;

const drawing = (
  { title, width, font }: ChartOptions,
  height: number,
  content: Markup | readonly Markup[],
  stretches = false,
): Markup =>
  markup`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${title}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="${stretches ? 'none' : 'xMinYMin'}" direction="ltr" font-size="11"${font === undefined ? null : markup` font-family="${font}"`}><title>${title}</title>${content}</svg>`;

/** One strip over the full width, divided in proportion to its parts. Empty parts are omitted. */
export function strip(parts: readonly Bar[], drawn: ChartOptions): Markup {
  const height = 12;
  const shown = parts.filter(({ value }) => value > 0);
  const whole = shown.reduce((sum, { value }) => sum + value, 0);
  const gap = 2;
  const room = drawn.width - gap * Math.max(0, shown.length - 1);
  let left = 0;
  const pieces = shown.map(({ label, value, colour }) => {
    const width = rounded((value / whole) * room);
    const piece = markup`<rect x="${rounded(left)}" y="0" width="${width}" height="${height}" fill="${colour}"><title>${label}: ${value}</title></rect>`;
    left += width + gap;
    return piece;
  });
  const empty = markup`<rect x="0" y="0" width="${drawn.width}" height="${height}" fill="${PALETTE.line}"/>`;
  return drawing(drawn, height, whole === 0 ? empty : pieces, true);
}

const AXIS_WIDTH = 36;
const PLOT_HEIGHT = 72;
const LEGEND_HEIGHT = 26;
const LABEL_HEIGHT = 20;

/** Found findings above the line and resolved ones below it, for each stretch of time. */
export function timeline(stretches: readonly TimelineInterval[], drawn: ChartOptions): Markup {
  const end = axisEnd(stretches.flatMap(({ found, resolved }) => [found, resolved]));
  const zero = LEGEND_HEIGHT + PLOT_HEIGHT;
  const pitch = (drawn.width - AXIS_WIDTH) / Math.max(1, stretches.length);
  const column = Math.min(28, pitch * 0.7);
  const lengthOf = (value: number): number => rounded((value / end) * PLOT_HEIGHT);
  const labelled = new Set([0, Math.floor((stretches.length - 1) / 2), stretches.length - 1]);
  const columns = stretches.map(({ label, found, resolved }, index) => {
    const centre = AXIS_WIDTH + pitch * (index + 0.5);
    const x = rounded(centre - column / 2);
    return markup`<g><title>${label}: ${found} found, ${resolved} resolved</title><rect x="${x}" y="${rounded(zero - lengthOf(found))}" width="${rounded(column)}" height="${lengthOf(found)}" fill="${PALETTE.found}"/><rect x="${x}" y="${zero}" width="${rounded(column)}" height="${lengthOf(resolved)}" fill="${PALETTE.resolved}"/></g>${labelled.has(index) && labelAt(index, stretches.length, label, rounded(centre), drawn.width, zero)}`;
  });
  const height = zero + PLOT_HEIGHT + LABEL_HEIGHT;
  return drawing(drawn, height, [legend, ...gridlines(end, zero, drawn.width), ...columns]);
}

/** The first and the last label are aligned so that they stay inside the drawing. */
function labelAt(index: number, count: number, label: string, centre: number, width: number, zero: number): Markup {
  const [x, anchor] =
    count === 1
      ? [centre, 'middle']
      : index === 0
        ? [AXIS_WIDTH, 'start']
        : index === count - 1
          ? [width, 'end']
          : [centre, 'middle'];
  const y = zero + PLOT_HEIGHT + LABEL_HEIGHT - 5;
  return markup`<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${PALETTE.muted}">${label}</text>`;
}

const gridlines = (end: number, zero: number, width: number): Markup[] =>
  [1, 0, -1].map((place) => {
    const y = zero - place * PLOT_HEIGHT;
    return markup`<line x1="${AXIS_WIDTH}" x2="${width}" y1="${y}" y2="${y}" stroke="${place === 0 ? PALETTE.muted : PALETTE.line}" stroke-width="1"/><text x="${AXIS_WIDTH - 8}" y="${y + 4}" text-anchor="end" fill="${PALETTE.muted}">${Math.abs(place) * end}</text>`;
  });

const legend = markup`<rect x="${AXIS_WIDTH}" y="2" width="10" height="10" fill="${PALETTE.found}"/><text x="${AXIS_WIDTH + 16}" y="11" fill="${PALETTE.ink}">Found</text><rect x="${AXIS_WIDTH + 72}" y="2" width="10" height="10" fill="${PALETTE.resolved}"/><text x="${AXIS_WIDTH + 88}" y="11" fill="${PALETTE.ink}">Resolved</text>`;
