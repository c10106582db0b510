import type { VNode } from 'preact';

/** A text to copy, such as a command. */
export const CopyBlock = ({ id, text }: { id: string; text: string }): VNode => (
  <>
    <pre id={id} tabIndex={0}>
      {text}
    </pre>
    <button type="button" data-copy={id} hidden>
      Copy
    </button>
  </>
);
