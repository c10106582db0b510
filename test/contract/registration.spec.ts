import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { runWithModules } from '../../src/apps/cli/run-in-domain';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { startWorker, testConfig, useApi } from '../support/api';

const folder = join(__dirname, '../../src');

interface Decorated {
  readonly path: string;
  readonly className: string;
  readonly count: { readonly kinds: number; readonly tasks: number };
}

/** The classes that have a decorator which the process looks for when it starts. */
const decorated: readonly Decorated[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .flatMap((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    const count = (decorator: RegExp): number => text.match(decorator)?.length ?? 0;
    const [kinds, tasks] = [count(/^@WorkKind\(/gm), count(/^ {2}@Scheduled\(/gm)];
    const [, className] = /^export class (\w+)/m.exec(text) ?? [];
    const isDecorated = kinds + tasks + count(/^ {2}@OwnerOf\(/gm) > 0;
    return isDecorated && className !== undefined ? [{ path, className, count: { kinds, tasks } }] : [];
  });

const total = (of: keyof Decorated['count']): number => decorated.reduce((sum, { count }) => sum + count[of], 0);

/** Decorated classes that no module of the process provides: they would never run. */
const notProvidedBy = (context: INestApplicationContext): string[] =>
  decorated.flatMap(({ path, className }) => {
    const { [className]: decoratedClass } = require(join(folder, path)) as Record<string, Type>;
    try {
      return decoratedClass === undefined || context.get(decoratedClass, { strict: false }) ? [] : [path];
    } catch {
      return [path];
    }
  });

const api = useApi();

const processes: Record<string, (use: (context: INestApplicationContext) => void) => Promise<void>> = {
  API: async (use) => use(api.app),
  worker: async (use) => {
    const worker = await startWorker();
    try {
      use(worker.context);
    } finally {
      await worker.stop();
    }
  },
  'command line': async (use) => runWithModules(await testConfig(), async (context) => use(context)),
};

describe.each(Object.entries(processes))('In the process of the %s', (_name, within) => {
  it('every decorated class is provided by a module', () =>
    within((context) => expect(notProvidedBy(context)).toEqual([])));

  it('every kind of work has its handler, and every scheduled task is known', () =>
    within((context) => {
      const { kinds, scheduledTasks } = context.get(WorkRegistry, { strict: false });
      expect(kinds.filter((kind) => !kind.startsWith('test.'))).toHaveLength(total('kinds'));
      expect(total('kinds')).toBeGreaterThan(10);
      expect(scheduledTasks).toHaveLength(total('tasks'));
      expect(total('tasks')).toBeGreaterThan(10);
    }));
});
