import { Injectable } from '@nestjs/common';
import { CheckLibrary } from '../checks';
import { type CheckInput, libraryIdOf, parseCheck, type ParsedCheck } from './domain/check-definition';

/** Reads checks in requests, including those given by the id of a template in the library. */
@Injectable()
export class LibraryChecksService {
  constructor(private readonly library: CheckLibrary) {}

  /** Stores the YAML of the current version, so that retests stay the same when the library changes. */
  async parse(input: CheckInput): Promise<ParsedCheck> {
    const id = libraryIdOf(input);
    if (id === null) return parseCheck(input);
    const found = await this.library.find([id]);
    await this.library.requireAll([id], [...found.values()], 'check.id');
    const { location, allowUnsafe } = input;
    return parseCheck({ http: found.get(id)?.source, location, allowUnsafe }, 'loaded');
  }
}
