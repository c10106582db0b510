import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { payloadFilesOf, type TemplateNote, withPayloadValues } from '../../engine';

const LARGEST_FILE = 2 ** 20;

interface Refused {
  readonly refusal: string;
}

/** A template with the values of its payload files, or why they could not be read. */
export interface FilledTemplate {
  readonly source: string;
  readonly notes: readonly TemplateNote[];
}

async function realPathOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    return null;
  }
}

/** The lines that are not empty. */
async function linesOf(path: string): Promise<readonly string[] | Refused> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { refusal: 'is not a file' };
    if (stats.size > LARGEST_FILE)
      return { refusal: `has ${stats.size} bytes; a file of payloads has at most ${LARGEST_FILE}` };
    const content = await file.readFile();
    if (!isUtf8(content)) return { refusal: 'is not UTF-8' };
    const lines = content
      .toString()
      .split(/\r?\n/)
      .filter((line) => line !== '');
    return lines.length === 0 ? { refusal: 'has no values' } : lines;
  } finally {
    await file.close();
  }
}

/** Reads the payload files of templates, only from the folder that is loaded. */
export class PayloadFolder {
  private readonly known = new Map<string, readonly string[] | Refused>();

  private constructor(private readonly root: string) {}

  /** The folder itself, or the folder of a file. */
  static async at(path: string): Promise<PayloadFolder> {
    const root = await realpath(path);
    return new PayloadFolder((await stat(root)).isDirectory() ? root : dirname(root));
  }

  /** Replaces the names of files by their values. */
  async fill(file: string, source: string): Promise<FilledTemplate> {
    const notes: TemplateNote[] = [];
    const values = new Map<ReturnType<typeof payloadFilesOf>[number], readonly string[]>();
    for (const payload of payloadFilesOf(source)) {
      const { path, line, place } = payload;
      const read = await this.read(path, file);
      if ('refusal' in read) notes.push({ line, place, text: `${path} ${read.refusal}` });
      else values.set(payload, read);
    }
    return { source: notes.length > 0 ? source : withPayloadValues(source, values), notes };
  }

  private async read(path: string, template: string): Promise<readonly string[] | Refused> {
    if (isAbsolute(path)) return { refusal: 'is an absolute path; state a path below the folder that is loaded' };
    if (path.split(/[/\\]/).includes('..')) return { refusal: 'has "..", so it may leave the folder that is loaded' };
    for (const folder of [this.root, await realpath(dirname(template))]) {
      const named = join(folder, path);
      const real = await realPathOrNull(named);
      if (real === null) continue;
      if (real !== named || !named.startsWith(`${this.root}${sep}`)) return { refusal: 'is a symbolic link' };
      const lines = this.known.get(named) ?? (await linesOf(named));
      this.known.set(named, lines);
      return lines;
    }
    return { refusal: `is not in ${this.root}; load the folder that contains it` };
  }
}
