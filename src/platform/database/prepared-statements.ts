import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { QueryArrayResult } from 'pg';
import { rowObjects } from './row-objects';
import type { Sql } from './sql';

export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
  readonly rowMode: 'array';
}

/** Of about 5 KB each. After that they are hashed again, which gives the same names. */
const MAX_KNOWN = 2_000;

interface Known {
  readonly name: string;
  /** Set by the first result: the same text always has the same columns. */
  rowObject?: ReturnType<typeof rowObjects>;
}

/**
 * Names each statement text, so that each connection prepares it only once. The name is a hash of the text: if a pooler gives a
 * connection of another process to this one, a name still cannot mean a different statement.
 */
@Injectable()
export class PreparedStatements {
  private readonly known = new Map<string, Known>();

  of(statement: Sql): PreparedStatement {
    const { text, values } = statement.build();
    return { name: this.knownOf(text).name, text, values, rowMode: 'array' };
  }

  /** The rows of a result as objects. */
  rowsOf<T extends object>({ text }: PreparedStatement, { rows, fields }: QueryArrayResult): T[] {
    const known = this.knownOf(text);
    known.rowObject ??= rowObjects(fields.map(({ name }) => name));
    return rows.map(known.rowObject) as T[];
  }

  private knownOf(text: string): Known {
    let known = this.known.get(text);
    if (known === undefined) {
      if (this.known.size >= MAX_KNOWN) this.known.clear();
      known = { name: `assay_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}` };
      this.known.set(text, known);
    }
    return known;
  }
}
