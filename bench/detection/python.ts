import { spawnSync } from 'node:child_process';

/** The interpreter that has the packages of the applications. */
export const PYTHON = process.env['PYTHON'] ?? 'python3';

/** Why it cannot run them, or null. */
export function missingInPython(modules: readonly string[]): string | null {
  const { status } = spawnSync(PYTHON, ['-c', `import ${modules.join(', ')}`]);
  return status === 0 ? null : `${PYTHON} lacks one of ${modules.join(', ')}`;
}
