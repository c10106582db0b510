import type { VNode } from 'preact';

interface MarkdownProps {
  /** The service sanitized it when it was written. */
  readonly html: string;
  readonly class?: string;
}

/** Markdown of a person or a scan. */
export const Markdown = ({ html, class: name }: MarkdownProps): VNode => (
  <div
    class={name === undefined ? 'markdown' : `${name} markdown`}
    dir="auto"
    dangerouslySetInnerHTML={{ __html: html }}
  />
);
