import type { ImportsRepository } from '../data/imports.repository';

/** Yields the file of an import part by part. No database connection is held between two parts. */
export class StoredFile {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly importId: number,
    private readonly parts: number,
  ) {}

  async *chunks(): AsyncGenerator<Buffer> {
    for (let number = 0; number < this.parts; number++) {
      const chunk = await this.imports.findChunk(this.importId, number);
      // The import was canceled or deleted: its next batch will notice.
      if (chunk === undefined)
        throw new Error(`Part ${number} of the file of import ${this.importId} no longer exists.`);
      yield chunk;
    }
  }
}
