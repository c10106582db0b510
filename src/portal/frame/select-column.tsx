import type { Column } from './table';

interface Selection<Row> {
  /** Of the checkboxes. */
  readonly name: string;
  /** What the checkbox in the head does, with a script. */
  readonly all: string;
  /** Undefined for a row that cannot be selected. */
  readonly of: (row: Row) => Choice | undefined;
}

interface Choice {
  readonly value: string;
  readonly isSelected: boolean;
  readonly label: string;
  /** How many records it selects, if more than one. */
  readonly count?: number | undefined;
}

/** A checkbox before each row, of a table in a form. */
export const selectColumn = <Row,>({ name, all, of }: Selection<Row>): Column<Row> => ({
  label: 'Selected',
  class: 'select',
  head: (
    <>
      <span class="visually-hidden">Selected</span>
      <label>
        <input type="checkbox" id="select-all" aria-label={all} hidden />
      </label>
    </>
  ),
  cell: (row) => {
    const one = of(row);
    return (
      one && (
        <label>
          <input
            type="checkbox"
            name={name}
            value={one.value}
            checked={one.isSelected}
            aria-label={one.label}
            data-count={one.count}
          />
        </label>
      )
    );
  },
});
