import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Sql } from './sql';

export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Names each statement text, so that each connection prepares it only once. The name is a hash of the text: if a pooler gives a
 * connection of another process to this one, a name still cannot mean a different statement.
 */
@Injectable()
export class PreparedStatements {
  private readonly names = new Map<string, string>();

  of(statement: Sql): PreparedStatement {
    const { text, values } = statement.build();
    return { name: this.nameOf(text), text, values };
  }

  private nameOf(text: string): string {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    const name = `assay_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
    this.names.set(text, name);
    return name;
  }
}
