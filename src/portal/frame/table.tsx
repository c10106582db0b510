import type { ComponentChildren, VNode } from 'preact';

export interface Column<Row> {
  readonly label: string;
  /** What the head shows instead of the label. */
  readonly head?: VNode;
  /** For buttons: screen readers read the label, and the head does not show it. */
  readonly isLabelHidden?: boolean;
  readonly sorted?: 'ascending' | 'descending';
  readonly class?: string;
  readonly dir?: 'auto';
  /** Whether narrow screens, which have no head, show the label beside the cell. */
  readonly isNamed?: boolean | ((row: Row) => boolean);
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  readonly class?: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowClass?: (row: Row) => string | undefined;
}

/** A list with a column for each property of its records. */
export const Table = <Row,>({ class: kind = 'list', rows, columns, rowClass }: TableProps<Row>): VNode => (
  <table class={kind}>
    <thead>
      <tr>
        {columns.map(({ label, head, isLabelHidden, sorted, class: ofCell }) => (
          <th key={label} scope="col" class={head && ofCell} aria-sort={sorted}>
            {head ?? (isLabelHidden ? <span class="visually-hidden">{label}</span> : label)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row, index) => (
        <tr key={index} class={rowClass?.(row)}>
          {columns.map(({ label, class: ofCell, dir, isNamed = false, cell }) => {
            const isShown = typeof isNamed === 'function' ? isNamed(row) : isNamed;
            return (
              <td key={label} class={ofCell} dir={dir} data-label={isShown ? label : undefined}>
                {cell(row)}
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  </table>
);
