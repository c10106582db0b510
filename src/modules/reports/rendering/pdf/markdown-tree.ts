import type { DirectedText } from './font-fallback';
import type { BreakableText } from './line-breaks';

/** A Markdown text as data for the template. */
export type Inline =
  | DirectedText
  | { readonly t: 'em' | 'strong' | 's'; readonly c: readonly Inline[] }
  | { readonly t: 'code'; readonly s: BreakableText }
  | { readonly t: 'a'; readonly u: string; readonly c: readonly Inline[] }
  | { readonly t: 'br' };

/** Whether a paragraph runs from right to left. */
export interface Directed {
  readonly r?: true;
}

export interface Cell extends Directed {
  readonly c: readonly Inline[];
}

export type Block = Directed &
  (
    | { readonly t: 'p' | 'title'; readonly c: readonly Inline[] }
    | { readonly t: 'h'; readonly n: number; readonly c: readonly Inline[] }
    | { readonly t: 'ul'; readonly items: readonly (readonly Block[])[] }
    | { readonly t: 'ol'; readonly start: number; readonly items: readonly (readonly Block[])[] }
    | { readonly t: 'code'; readonly s: BreakableText }
    | { readonly t: 'quote'; readonly b: readonly Block[] }
    | { readonly t: 'hr' }
    | {
        readonly t: 'table';
        /** Shares of the width. */
        readonly widths: readonly number[];
        readonly head: readonly Cell[];
        readonly rows: readonly (readonly Cell[])[];
      }
    /** A table that is too wide: each row as a list of cells with their column names. */
    | { readonly t: 'records'; readonly rows: readonly (readonly (readonly [name: Cell, value: Cell])[])[] }
  );
