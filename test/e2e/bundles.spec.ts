import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distKey } from '../support/programs';

const project = join(__dirname, '../..');
const dist = (): string => process.env[distKey] ?? '';

/** What a script prints that can load modules of a bundle. */
function outputOf(script: string): string {
  const load = `const load = (bundle, module) => require(${JSON.stringify(join(dist(), 'load-bundle.cjs'))})(bundle, 'test', module);`;
  return execFileSync(process.execPath, ['-e', `${load}\n${script}`], { encoding: 'utf8', cwd: project });
}

const packageIn = (path: string): string | undefined =>
  [...path.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].at(-1)?.[1];

/** Packages without state or classes that others ask for, so that a second copy is harmless. */
const MAY_BE_TWICE = new Set('debug ms supports-color has-flag once wrappy fast-safe-stringify tslib'.split(' '));

describe('the bundle of the programs', () => {
  it('has a file for each program, and only these and what they read', () => {
    const files = readdirSync(dist(), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
    const programs = files.filter((name) => name.startsWith('src/') && !/swagger-ui|static/.test(name));
    expect(programs).toContain('src/apps/api/main.js');
    for (const name of programs) expect(readFileSync(join(dist(), name), 'utf8')).toContain('load-bundle.cjs');
    expect(files.length).toBeLessThan(40);
  });

  it('names the file and the line of the source in stack traces', () => {
    const stack = outputOf(`
      const { DomainError } = load('service', 'src/kernel/domain-error.js');
      const { asOperator } = load('service', 'src/apps/cli/run-in-domain.js');
      try { asOperator(undefined, {}, undefined); } catch (error) { console.log(error.stack); }
      new Promise(() => { throw new DomainError('not_found', 'kept'); }).catch((error) => console.log(error.stack));`);
    const [, line = '0'] = /src\/apps\/cli\/run-in-domain\.ts:(\d+)/.exec(stack) ?? [];
    const source = readFileSync(join(project, 'src/apps/cli/run-in-domain.ts'), 'utf8').split('\n');
    expect(source[Number(line) - 1]).toContain('app.get(UnitOfWork)');
    expect(stack).not.toContain('service.bundle.js');
    expect(stack).toContain('kept');
  });

  it('needs little time and memory for stack traces, without a source map', () => {
    const costs: { milliseconds: number; megabytes: number }[] = JSON.parse(
      outputOf(`
        const { asOperator } = load('service', 'src/apps/cli/run-in-domain.js');
        const cost = () => {
          const cpu = process.cpuUsage(), heap = process.memoryUsage().heapUsed;
          try { asOperator(undefined, {}, undefined); } catch (error) { error.stack; }
          const { user, system } = process.cpuUsage(cpu);
          return { milliseconds: (user + system) / 1e3, megabytes: (process.memoryUsage().heapUsed - heap) / 1e6 };
        };
        console.log(JSON.stringify([cost(), cost()]));`),
    );
    // V8 counts the lines of the bundle for the first one.
    expect(costs[0]?.megabytes).toBeLessThan(5);
    expect(costs[1]?.milliseconds).toBeLessThan(10);
    expect(costs[1]?.megabytes).toBeLessThan(1);
  });

  it('keeps the names of classes, which messages and tables have', () => {
    expect(
      outputOf(`
        const { PortalModule } = load('service', 'src/portal/portal.module.js');
        console.log(PortalModule.name);`),
    ).toBe('PortalModule\n');
  });

  it('loads no package a second time from node_modules', () => {
    const bundled = new Set(
      [...readFileSync(join(dist(), 'service.bundle.js'), 'latin1').matchAll(/"(node_modules\/[^"]+)"\(/g)].map(
        ([, path = '']) => packageIn(path),
      ),
    );
    expect(bundled).toContain('@nestjs/core');
    expect(bundled).toContain('typeorm');
    const loaded: string[] = JSON.parse(
      outputOf(`
        const modules = ['apps/api/create-app', 'portal/create-portal', 'apps/worker/worker.module', 'platform/work/redis-connections'];
        const [{ createApp }] = modules.map((name) => load('service', 'src/' + name + '.js'));
        for (const name of ['bull', 'ioredis', 'nodemailer', 'openid-client', 'jose', '@simplewebauthn/server', 'pino-pretty', 're2js'])
          require(name);
        console.log(JSON.stringify(Object.keys(require.cache)));`),
    );
    const twice = new Set(loaded.map(packageIn).filter((name) => bundled.has(name)));
    expect(loaded.map(packageIn)).toContain('ioredis');
    expect([...twice].filter((name) => !MAY_BE_TWICE.has(name ?? ''))).toEqual([]);
  });
});
