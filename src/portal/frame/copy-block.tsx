import type { VNode } from 'preact';

interface CopyBlockProps {
  /** Of the element, unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly text: string;
}

/** A text to copy, such as a command. Scripts show the button. */
export const CopyBlock = ({ id, label, text }: CopyBlockProps): VNode => (
  <div class="copy-block">
    <pre id={id} dir="ltr" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
    <button type="button" data-copy={id} hidden>
      Copy
    </button>
  </div>
);
