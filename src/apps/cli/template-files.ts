import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { invalid } from '../../kernel/domain-error';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);

/** Such as the workflows in `.github`, which are YAML but no templates. */
const isHidden = (path: string): boolean => path.split(sep).some((name) => name.startsWith('.') && name !== '..');

/** The file, or all YAML files in a folder and the folders in it, without hidden ones. */
export async function templateFilesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && /\.ya?ml$/i.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !isHidden(relative(path, file)))
      .sort();
  } catch (error) {
    throw invalid(`Cannot read ${path} (${codeOf(error)}).`);
  }
}
