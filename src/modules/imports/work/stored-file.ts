import type { ImportsRepository } from '../data/imports.repository';

/** The file of an import, part by part. No connection of the database is held between two parts. */
export class StoredFile {
  private bytes = 0;

  constructor(
    private readonly imports: ImportsRepository,
    private readonly importId: number,
    private readonly parts: number,
  ) {}

  /** How much of the file was read. */
  get bytesRead(): number {
    return this.bytes;
  }

  async *chunks(): AsyncGenerator<Buffer> {
    for (let number = 0; number < this.parts; number++) {
      const chunk = await this.imports.findChunk(this.importId, number);
      // The import was canceled or deleted: its next batch notices it.
      if (chunk === undefined)
        throw new Error(`Part ${number} of the file of import ${this.importId} no longer exists.`);
      this.bytes += chunk.length;
      yield chunk;
    }
  }
}
