const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The time of the segmenter grows with the square of the length, so it gets windows of this size. */
const WINDOW = 512;

const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

/** The graphemes of a text, in linear time. A grapheme that is longer than a window is divided. */
export function* graphemesOf(text: string): Generator<string, undefined> {
  for (let at = 0; at < text.length;) {
    const end = at + WINDOW - (isHighSurrogate(text, at + WINDOW - 1) ? 1 : 0);
    const segments = Array.from(segmenter.segment(text.slice(at, end)), ({ segment }) => segment);
    // The last grapheme of a window may continue in the next one.
    if (end < text.length && segments.length > 1) segments.pop();
    for (const segment of segments) {
      at += segment.length;
      yield segment;
    }
  }
}
