/** As far as it is used; types of it come with Node 22. */
interface Sqlite {
  DatabaseSync: new (path: string) => {
    exec(statements: string): void;
    prepare(statement: string): { all(...values: readonly string[]): readonly Record<string, unknown>[] };
  };
}

const sqlite = process.getBuiltinModule('node:sqlite') as Sqlite | undefined;

/** Since Node 22.13. */
export const HAS_SQLITE = sqlite !== undefined;

/** In memory. A value cannot begin a statement of its own, and SQLite reads no files within one. */
const database = sqlite && new sqlite.DatabaseSync(':memory:');
database?.exec("CREATE TABLE products (id INTEGER, name TEXT); INSERT INTO products VALUES (1, 'Lamp'), (2, 'Desk')");

/** None if the database refuses the statement. */
export function productsWith(id: string, isVulnerable: boolean): string {
  try {
    const statement = database?.prepare(`SELECT name FROM products WHERE id = ${isVulnerable ? id : '?'}`);
    return (statement?.all(...(isVulnerable ? [] : [id])) ?? []).map(({ name }) => String(name)).join(', ');
  } catch {
    return '';
  }
}
