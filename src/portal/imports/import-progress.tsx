import type { VNode } from 'preact';
import type { Import } from '../../modules/imports';
import { labelOf, pluralize } from '../frame/words';
import { countsOf } from './import-results';

/** What changes while a worker reads the file, or undoes the import. */
export function ImportProgressPart({ one }: { one: Import }): VNode {
  const { status, size, bytesDone, rowsDone, removed } = one;
  if (status === 'PENDING') return <p>It waits for a worker.</p>;
  if (status === 'UNDOING') return <p>It is being undone: {pluralize(removed, 'finding')} removed so far.</p>;
  return (
    <>
      <p>
        <progress max={Math.max(1, size)} value={bytesDone} aria-label="Part of the file that was read" />{' '}
        {Math.floor((100 * bytesDone) / Math.max(1, size))} % of the file, {pluralize(rowsDone, 'row')} read
      </p>
      <p class="muted">
        {countsOf(one)
          .map(([result, count]) => `${labelOf(result)}: ${count}`)
          .join(', ')}
      </p>
    </>
  );
}
