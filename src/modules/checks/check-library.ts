import { Injectable } from '@nestjs/common';
import { SEVERITIES, type Severity } from '../../kernel/severity';
import { LibraryRepository } from './data/library.repository';

/** A template of the installation's library, in its current version. */
export interface LibraryCheck {
  /** The id in the template. The id of its check is `http:` and this id. */
  readonly id: string;
  readonly version: number;
  /** The YAML. */
  readonly source: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: readonly number[];
  readonly tags: readonly string[];
  /** The methods of its requests that may change state on the target; it only runs where an admin allows that. */
  readonly unsafeMethods: readonly string[];
  /** The values that it uses and does not define; without them it does not run. */
  readonly missingValues: readonly string[];
  /** How many requests it sends at most, redirects apart. */
  readonly requests: number;
}

/** The templates that an operator has loaded for all organizations. */
@Injectable()
export class CheckLibrary {
  constructor(private readonly repository: LibraryRepository) {}

  /** By their ids, without the prefix `http:`. Those that are not loaded, or retired, are missing. One statement. */
  async find(ids: readonly string[]): Promise<Map<string, LibraryCheck>> {
    if (ids.length === 0) return new Map();
    const rows = await this.repository.listCurrent([...new Set(ids)]);
    return new Map(
      rows.map(({ number: _number, detects: _detects, loaded: _loaded, retired: _retired, severity, ...row }) => [
        row.id,
        { ...row, severity: SEVERITIES[severity] ?? 'none' },
      ]),
    );
  }
}
