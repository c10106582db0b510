const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The segmenter takes the square of the length of its text, so it is given no more than this at a time. */
const WINDOW = 512;

const isHighSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

/** The graphemes of a text, in a time that is linear in its length. One that is longer than a window is cut. */
export function* graphemesOf(text: string): Generator<string, undefined> {
  for (let at = 0; at < text.length;) {
    const end = at + WINDOW - (isHighSurrogate(text, at + WINDOW - 1) ? 1 : 0);
    const segments = Array.from(segmenter.segment(text.slice(at, end)), ({ segment }) => segment);
    // The last of a window may go on behind it.
    if (end < text.length && segments.length > 1) segments.pop();
    for (const segment of segments) {
      at += segment.length;
      yield segment;
    }
  }
}
