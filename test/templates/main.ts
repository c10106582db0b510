import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { PayloadFolder } from '../../src/apps/cli/payload-folder';
import { templateFilesAt } from '../../src/apps/cli/template-files';
import { compileTemplate } from '../../src/engine/templates/compile-template';
import { parseTemplate } from '../../src/engine/templates/parse-template';
import { TEMPLATE_LIMITS } from '../../src/engine/templates/template-limits';
import { DomainError } from '../../src/kernel/domain-error';
import { NoSample } from './pattern-sample';
import { isNoResponse, SyntheticResponses } from './synthetic-responses';

/**
 * Draws templates at random, makes responses from what their matchers look for, and says which templates do not match them:
 *
 *   npm run test:templates -- <folder> [--count 200] [--seed 1]
 */
const { values, positionals } = parseArgs({
  options: { count: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});

/** The generator of Park and Miller. */
function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  // The first numbers of small seeds are alike.
  for (let skipped = 0; skipped < 10; skipped += 1) next();
  return next;
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

/** Why the template does not match its responses; null if it does, undefined if it does not run as it is. */
async function failureOf(source: string): Promise<string | null | undefined> {
  const parsed = parseTemplate(source);
  if ('problems' in parsed) return undefined;
  const template = compileTemplate(parsed.defined, TEMPLATE_LIMITS.loaded);
  if (template.problems.length > 0 || template.missing.length > 0) return undefined;
  try {
    const { state, detail } = await new SyntheticResponses(template).observation();
    return state === 'vulnerable' ? null : `${state}: ${detail}`;
  } catch (error) {
    if (error instanceof NoSample || isNoResponse(error)) return `no response: ${error.message}`;
    throw error;
  }
}

async function tested(source: string): Promise<string | null | undefined> {
  try {
    return await failureOf(source);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

async function main(folder: string, count: number, seed: number): Promise<void> {
  const payloads = await PayloadFolder.at(folder);
  const failures: string[] = [];
  let matched = 0;
  for (const file of shuffled(await templateFilesAt(folder), randomFrom(seed))) {
    if (matched + failures.length === count) break;
    const { source, notes } = await payloads.fill(file, await readFile(file, 'utf8'));
    const failure = notes.length > 0 ? undefined : await tested(source);
    if (failure === null) matched += 1;
    else if (failure !== undefined) failures.push(`${file}: ${failure}`);
  }
  for (const failure of failures) console.log(failure);
  console.log(`${matched} of ${matched + failures.length} templates match their synthetic responses (seed ${seed}).`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

const [folder] = positionals;
if (folder === undefined) {
  console.error('State a folder with templates: npm run test:templates -- <folder> [--count 200] [--seed 1]');
  process.exitCode = 2;
} else void main(folder, Number(values.count), Number(values.seed));
