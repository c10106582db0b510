import type { ComponentChildren, VNode } from 'preact';
import { VerdictBadge } from './badges';

interface VerdictProps {
  readonly verdict: string;
  /** When, by whom and how, in one line behind the verdict. */
  readonly line?: ComponentChildren;
  /** The sentence, and what follows from it. */
  readonly children?: ComponentChildren;
}

/** A verdict with a bar of its color. */
export const Verdict = ({ verdict, line, children }: VerdictProps): VNode => (
  <div class="verdict-part">
    <p class="line">
      <VerdictBadge verdict={verdict} /> {line}
    </p>
    {children}
  </div>
);
