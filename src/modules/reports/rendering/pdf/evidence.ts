import type { FontFallback } from './font-fallback';
import type { BreakableText } from './line-breaks';

/** As much of one message as helps a reader. */
const mostOfOne = 4_000;
/** As much of all messages together as a report bears; beyond it, each is but begun. */
const mostOfAll = 1_000_000;
const leastOfOne = 400;

/** What was sent and received, cut to what a printed page is for. */
export class Evidence {
  private room = mostOfAll;

  constructor(
    private readonly fonts: FontFallback,
    readonly shown: boolean,
  ) {}

  message(whole: string): { readonly text: BreakableText; readonly shortened: string | null } {
    const length = Math.min(whole.length, this.room > 0 ? mostOfOne : leastOfOne);
    this.room -= length;
    const text = this.fonts.codeBlock(whole.slice(0, length).replace(/[\ud800-\udbff]$/, ''));
    if (length === whole.length) return { text, shortened: null };
    return { text, shortened: `Shortened: ${length} of ${whole.length} characters.` };
  }
}
