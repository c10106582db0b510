import type { VNode } from 'preact';
import { useView } from './view';

/** The operator has suspended the organization of the page. */
export function SuspendedLine(): VNode | null {
  const { organization } = useView();
  if (organization?.suspendedAt == null) return null;
  return (
    <div class="notice-line" role="status">
      This organization is suspended: it can be read, but not changed. Ask the operator of this service.
    </div>
  );
}
