import type { ComponentChildren, VNode } from 'preact';

interface PanelProps {
  readonly label: string;
  /** What else a screen reader says, if several panels of a page have the same label. */
  readonly of?: string;
  readonly kind?: 'primary' | 'danger';
  readonly open?: boolean;
  readonly children: ComponentChildren;
}

/** A form behind a button. It opens without a script, so it also asks for confirmation without one. */
export const Panel = ({ label, of, kind, open = false, children }: PanelProps): VNode => (
  <details class={kind === 'danger' ? 'panel danger' : 'panel'} open={open}>
    <summary class={kind === 'primary' ? 'primary' : undefined}>
      {label}
      {of !== undefined && <span class="visually-hidden"> {of}</span>}
    </summary>
    {children}
  </details>
);
