import type { ExcerptPart } from '../evidence-excerpt';
import type { FontFallback } from './font-fallback';
import type { BreakableText } from './line-breaks';

/** Characters shown of one message. */
const MAX_MESSAGE_LENGTH = 4_000;
/** Characters shown of all messages together. Beyond it, only the start of each message is shown. */
const MAX_TOTAL_LENGTH = 1_000_000;
const MIN_MESSAGE_LENGTH = 400;

export interface MessagePart {
  readonly kind: ExcerptPart['kind'];
  readonly text: BreakableText;
}

/** What was sent and received, reduced to the lines that a reader needs. */
export class Evidence {
  private room = MAX_TOTAL_LENGTH;

  constructor(
    private readonly fonts: FontFallback,
    readonly shown: boolean,
  ) {}

  message(parts: readonly ExcerptPart[]): MessagePart[] {
    let left = this.room > 0 ? MAX_MESSAGE_LENGTH : MIN_MESSAGE_LENGTH;
    const shown: MessagePart[] = [];
    for (const { kind, text } of parts) {
      if (left <= 0) {
        shown.push({ kind: 'omitted', text: 'The rest is not shown' });
        break;
      }
      const length = Math.min(text.length, left);
      left -= length;
      this.room -= length;
      shown.push({ kind, text: this.fonts.codeBlock(text.slice(0, length).replace(/[\ud800-\udbff]$/, '')) });
    }
    return shown;
  }
}
