import type { VNode } from 'preact';

interface CopyBlockProps {
  /** Of the element, unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly text: string;
  /** Whether it is shown only once. With scripts, the page asks before the user leaves it without a copy. */
  readonly isSecret?: boolean;
}

/** A text to copy, such as a command. Scripts show the button. */
export const CopyBlock = ({ id, label, text, isSecret }: CopyBlockProps): VNode => (
  <div class="copy-block">
    <pre id={id} dir="ltr" tabIndex={0} role="region" aria-label={label} data-secret={isSecret}>
      {text}
    </pre>
    <button type="button" class={isSecret ? 'primary compact' : undefined} data-copy={id} hidden>
      Copy
    </button>
  </div>
);
