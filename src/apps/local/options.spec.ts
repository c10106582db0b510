import { readFlags, readOptions } from './options';

const none = { help: false, reset: false, yes: false, demo: false };

describe('the options of npm start', () => {
  it('reads its flags', () => {
    expect(readFlags([])).toEqual(none);
    expect(readFlags(['--reset', '--yes', '--demo'])).toEqual({ help: false, reset: true, yes: true, demo: true });
  });

  it.each([['--rest'], ['reset'], ['--reset=yes'], ['-x']])('refuses %s and names the help', (arg) => {
    expect(() => readFlags([arg])).toThrow(
      `"${arg}" is not an option of npm start. Run \`npm start -- --help\` for a list.`,
    );
  });

  it.each([
    [[], { npm_config_reset: 'true' }, '--reset'],
    [[], { npm_config_demo: 'true' }, '--demo'],
    [[], { npm_config_target: 'http://localhost:8080' }, '--target http://localhost:8080'],
    [['http://localhost:8080'], { npm_config_target: 'true' }, '--target http://localhost:8080'],
  ])('refuses options that npm has kept for itself: %j with %j', (args, environment, option) => {
    expect(() => readFlags(args, environment)).toThrow(`npm needs -- before the options: npm start -- ${option}`);
    expect(readFlags([], { npm_config_target: '33.0.0', npm_config_reset: '' })).toEqual(none);
  });

  it('reads the URLs of --target', () => {
    const urls = ['http://localhost:8080', 'https://[::1]:8443/app'];
    const flags = readFlags(['--target', urls[0] ?? '', '--demo', `--target=${urls[1]}`]);
    expect(flags).toEqual({ ...none, demo: true, target: urls });
    const api = { name: 'the API', host: '127.0.0.1', port: 3000 };
    const portal = { name: 'the portal', host: '127.0.0.1', port: 3001 };
    const targets = readOptions(flags, {}, '/project').ownTargets;
    expect(targets?.targets.map(({ url }) => url)).toEqual(['http://localhost:8080/', 'https://[::1]:8443/app']);
    expect(targets?.listeners).toEqual([api, portal]);
    const more = { DATABASE_URL: 'postgres://app@db:6000/assay', REDIS_URL: 'redis://cache' };
    expect(readOptions(flags, more, '/project').ownTargets?.listeners).toEqual([
      api,
      portal,
      { name: 'the database', host: 'db', port: 6000 },
      { name: 'Redis', host: 'cache', port: 6379 },
    ]);
    expect(() => readFlags(['--target'])).toThrow('--target needs the URL of your application');
    expect(() => readFlags(['--target', 'http://localhost', '--rest'])).toThrow('"--rest" is not an option');
  });

  it('refuses --target in production', () => {
    const production = { NODE_ENV: 'production', ENGINE_USER_AGENT: 'Assay of example.com (security@example.com)' };
    const flags = { ...none, target: ['http://localhost:8080'] };
    expect(() => readOptions(flags, production, '/')).toThrow('--target is for development.');
  });

  it('has defaults for all options', () => {
    expect(readOptions(none, {}, '/project')).toEqual({
      ...none,
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      portalPort: 3001,
      dataDir: '/project/.assay',
      workerGraceSeconds: 1,
      secretKey: undefined,
      demoTarget: { port: undefined },
      external: undefined,
    });
  });

  it('uses PORT and ASSAY_DATA, and ignores BASE_PATH, which is for a gateway', () => {
    const given = { PORT: '8080', BASE_PATH: '/assay', ASSAY_DATA: 'elsewhere' };
    expect(readOptions(none, given, '/project')).toMatchObject({
      port: 8080,
      baseUrl: 'http://localhost:8080',
      portalPort: 8081,
      dataDir: '/project/elsewhere',
    });
  });

  it('uses DATABASE_URL, and MIGRATION_DATABASE_URL for the migrations if it is set', () => {
    const DATABASE_URL = 'postgres://app@db/assay';
    const MIGRATION_DATABASE_URL = 'postgres://owner@db/assay';
    expect(readOptions(none, { DATABASE_URL }, '/').external).toEqual({
      appUrl: DATABASE_URL,
      migrationUrl: DATABASE_URL,
    });
    expect(readOptions(none, { DATABASE_URL, MIGRATION_DATABASE_URL }, '/').external).toEqual({
      appUrl: DATABASE_URL,
      migrationUrl: MIGRATION_DATABASE_URL,
    });
  });

  it('treats an empty DATABASE_URL as not set', () => {
    expect(readOptions(none, { DATABASE_URL: '' }, '/').external).toBeUndefined();
  });

  it('refuses to reset an external database', () => {
    const reset = { ...none, reset: true };
    expect(() => readOptions(reset, { DATABASE_URL: 'postgres://app@db/assay' }, '/')).toThrow('--reset deletes');
  });

  it('runs a demo target, on DEMO_TARGET_PORT if it is set', () => {
    const target = (environment: Record<string, string>, flags = none) =>
      readOptions(flags, environment, '/').demoTarget;
    expect(target({ DEMO_TARGET_PORT: '8081', DEMO_TARGET: 'on' })).toEqual({ port: 8081 });
    for (const port of ['0', '65536', 'http', '1e3', '-1', '3000']) {
      expect(() => target({ DEMO_TARGET_PORT: port })).toThrow(`DEMO_TARGET_PORT must be a port from 1 to 65535`);
    }
    expect(() => target({ DEMO_TARGET: 'no' })).toThrow('DEMO_TARGET must be on or off, not "no".');
  });

  it('runs no demo target if it is off, in production, or on an external database without demo data', () => {
    const DATABASE_URL = 'postgres://app@db/assay';
    const target = (environment: Record<string, string>, flags = none) =>
      readOptions(flags, environment, '/').demoTarget;
    expect(target({ DEMO_TARGET: 'off' })).toBeUndefined();
    const ENGINE_USER_AGENT = 'Assay of example.com (security@example.com)';
    expect(target({ NODE_ENV: 'production', ENGINE_USER_AGENT, DEMO_TARGET: 'on' })).toBeUndefined();
    expect(target({ DATABASE_URL })).toBeUndefined();
    expect(target({ DATABASE_URL }, { ...none, demo: true })).toEqual({ port: undefined });
  });

  it('requires a fixed port', () => {
    expect(() => readOptions(none, { PORT: '0' }, '/')).toThrow('PORT=0 is not allowed here');
    expect(() => readOptions(none, { PORT: 'http' }, '/')).toThrow('PORT must be a number');
  });
});
