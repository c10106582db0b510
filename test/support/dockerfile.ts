import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const project = resolve(__dirname, '../..');

interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The instructions of each stage of the Dockerfile. Each stage begins with FROM. */
function dockerfileStages(): Instruction[][] {
  const text = readFileSync(join(project, 'Dockerfile'), 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '');
  const stages: Instruction[][] = [];
  for (const [, name = '', value = ''] of text.matchAll(/^([A-Z]+) +(.+)$/gm)) {
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, value });
  }
  return stages;
}

/** The stage with this name, or the last one, which is the image of the service. */
export const stageOf = (name?: string): Instruction[] =>
  dockerfileStages().findLast(([from]) => name === undefined || from?.value.endsWith(` AS ${name}`)) ?? [];

export const valuesOf = (stage: Instruction[], wanted: string): string[] =>
  stage.filter(({ name }) => name === wanted).map(({ value }) => value);

/** The variables that a stage sets. */
export const environmentOf = (stage: Instruction[]): Record<string, string> =>
  Object.fromEntries(
    valuesOf(stage, 'ENV').flatMap((value) => value.split(' ').map((pair) => pair.split('=') as [string, string])),
  );
