import { join } from 'node:path';
import { mutants } from './mutants';
import type { Mutant } from './mutant';
import { ProjectCopy, type TestResult } from './project-copy';

interface Outcome {
  readonly mutant: Mutant;
  /** Why the mutant was not caught; null if a test failed because of it. */
  readonly problem: string | null;
  readonly seconds: number;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** The mutants whose name or file contains one of these words; all without words. */
const chosen = (words: readonly string[]): Mutant[] =>
  mutants.filter(
    ({ name, file }) => words.length === 0 || words.some((word) => name.includes(word) || file.includes(word)),
  );

const belongsTo =
  ({ spec, test }: Mutant) =>
  (result: TestResult): boolean =>
    result.spec === spec && result.title.includes(test);

/** Every selected test must exist and pass without a fault, or its failure would prove nothing. */
async function requirePassingTests(copy: ProjectCopy, all: readonly Mutant[]): Promise<void> {
  const specs = [...new Set(all.map(({ spec }) => spec))];
  const results = await copy.test(specs, [...new Set(all.map(({ test }) => test))]);
  const problems = all.flatMap((mutant) => {
    const ownResults = results.filter(belongsTo(mutant)).map(({ status }) => status);
    if (ownResults.length > 0 && ownResults.every((status) => status === 'passed')) return [];
    return [`"${mutant.test}" in ${mutant.spec}: ${ownResults.join(', ') || 'no such test'}`];
  });
  if (problems.length > 0) throw new Error(`These tests do not pass without a fault:\n${problems.join('\n')}`);
}

async function runMutant(copy: ProjectCopy, mutant: Mutant): Promise<Outcome> {
  const began = performance.now();
  const outcome = (problem: string | null): Outcome => ({
    mutant,
    problem,
    seconds: (performance.now() - began) / 1_000,
  });
  try {
    const results = await copy.withFault(mutant, () => copy.test([mutant.spec], [mutant.test], mutant.file));
    const isCaught = results.some((result) => belongsTo(mutant)(result) && result.status === 'failed');
    return outcome(isCaught ? null : 'no test failed');
  } catch (error) {
    return outcome(error instanceof Error ? error.message : String(error));
  }
}

function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ mutant: { name, file, spec }, problem, seconds }) => [
    problem === null ? 'caught' : 'SURVIVED',
    name,
    file,
    spec,
    seconds.toFixed(0),
  ]);
  return ['| | Mutant | File | Spec | Seconds |', '| --- | --- | --- | --- | ---: |']
    .concat(rows.map((row) => `| ${row.join(' | ')} |`))
    .join('\n');
}

async function run(): Promise<void> {
  const all = chosen(process.argv.slice(2));
  if (all.length === 0) throw new Error('No mutant has one of these words in its name or file.');
  const copy = await ProjectCopy.create(join(__dirname, '../../..'));
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      isStopped = true;
      copy.interrupt();
    });
  try {
    print(`${all.length} mutants. First their tests run without a fault …`);
    await requirePassingTests(copy, all);
    const outcomes: Outcome[] = [];
    for (const mutant of all) {
      const outcome = await runMutant(copy, mutant);
      if (isStopped) throw new Error('The run was stopped.');
      outcomes.push(outcome);
      print(`${outcomes.length}/${all.length} ${outcome.problem === null ? 'caught' : 'NOT CAUGHT'}: ${mutant.name}`);
      if (outcome.problem !== null) print(`  ${outcome.problem}`);
    }
    const survivors = outcomes.filter(({ problem }) => problem !== null);
    print(`\n${tableOf(outcomes)}\n\n${outcomes.length - survivors.length} of ${outcomes.length} caught.`);
    if (survivors.length > 0) process.exitCode = 1;
  } finally {
    await copy.remove();
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
