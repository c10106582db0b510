import { axisEnd, strip, timeline } from './charts';
import { PALETTE, SEVERITY_COLORS } from './palette';

const drawn = { title: 'Findings', width: 400 };
const widthsOf = (svg: unknown, colour: string): number[] =>
  [...String(svg).matchAll(/<rect [^>]*width="([\d.]+)"[^>]*fill="(#\w+)"/g)]
    .filter(([, , fill]) => fill === colour)
    .map(([, width]) => Number(width));

describe('charts', () => {
  it('divides a strip in proportion to its parts and omits empty parts', () => {
    const part = (value: number, colour: string) => ({ label: colour, value, colour });
    const svg = strip([part(3, '#aa0000'), part(0, '#00aa00'), part(1, '#0000aa')], drawn);
    expect([widthsOf(svg, '#aa0000'), widthsOf(svg, '#00aa00'), widthsOf(svg, '#0000aa')]).toEqual([
      [298.5],
      [],
      [99.5],
    ]);
    expect(widthsOf(strip([], drawn), PALETTE.line)).toEqual([400]);
  });

  it('draws found findings above the line and resolved ones below it', () => {
    const svg = String(timeline([{ label: '1 Jan', found: 2, resolved: 1 }], drawn));
    expect(svg).toContain(`y="26" width="28" height="72" fill="${PALETTE.found}"`);
    expect(svg).toContain(`y="98" width="28" height="36" fill="${PALETTE.resolved}"`);
    expect(svg).toContain('1 Jan: 2 found, 1 resolved');
  });

  it.each([
    [[], 1],
    [[0, 1], 1],
    [[3], 5],
    [[11], 20],
    [[51, 2], 100],
    [[1_000], 1_000],
  ])('ends the axis of %j at %d', (values, end) => {
    expect(axisEnd(values)).toBe(end);
  });

  it('writes no NaN and escapes labels', () => {
    const svg = [
      strip([{ label: '<script>', value: 1, colour: '#aa0000' }], drawn),
      timeline([{ label: '<script>', found: 0, resolved: 0 }], drawn),
      timeline([], drawn),
    ];
    expect(svg.join('')).not.toMatch(/NaN|Infinity|<script>/);
  });

  it('has colors with enough contrast for white text', () => {
    const channel = (part: number): number => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const contrast = (colour: string): number => {
      const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
        channel(parseInt(colour.slice(at, at + 2), 16) / 255),
      );
      return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
    };
    const { accent, found, resolved, muted, ink } = PALETTE;
    for (const colour of [...Object.values(SEVERITY_COLORS), accent, found, resolved, muted, ink])
      expect([colour, contrast(colour) >= 4.5]).toEqual([colour, true]);
  });
});
