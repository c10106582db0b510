type RowObject = (values: readonly unknown[]) => object;

/**
 * A function that makes an object of the values of a row. It is compiled with the names of the columns, because V8 fills and
 * reads an object with constant names faster than one that is filled in a loop, as `pg` does: see `docs/performance.md`. The names
 * are of our own SQL, never of a request, and are quoted.
 */
export function rowObjects(columns: readonly string[]): RowObject {
  const members = columns.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- a loop over the names costs a page of findings a tenth of its processor time
  return new Function('values', `return { ${members.join(', ')} };`) as RowObject;
}
