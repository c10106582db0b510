import type { VNode } from 'preact';
import { Icon } from './icon';

/** A button next to the title of a list, which leads to the page of a new record. */
export const NewLink = ({ href, label }: { href: string; label: string }): VNode => (
  <div>
    <a class="button primary" href={href}>
      <Icon name="plus" /> {label}
    </a>
  </div>
);
