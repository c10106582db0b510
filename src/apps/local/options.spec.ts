import { readFlags, readOptions } from './options';

const none = { help: false, reset: false, demo: false };

describe('what npm start is told', () => {
  it('knows its flags', () => {
    expect(readFlags([])).toEqual(none);
    expect(readFlags(['--reset', '--demo'])).toEqual({ help: false, reset: true, demo: true });
  });

  it.each([['--rest'], ['reset'], ['--reset=yes'], ['-x']])('refuses %s and says where the right ones are', (arg) => {
    expect(() => readFlags([arg])).toThrow(`npm start knows no "${arg}". \`npm start -- --help\` shows what it knows.`);
  });

  it('has a default for everything', () => {
    expect(readOptions(none, {}, '/project')).toEqual({
      ...none,
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      dataDir: '/project/.assay',
      secretKey: undefined,
      demoTarget: { port: undefined },
      external: undefined,
    });
  });

  it('takes PORT and ASSAY_DATA, and leaves BASE_PATH to the gateway', () => {
    const given = { PORT: '8080', BASE_PATH: '/assay', ASSAY_DATA: 'elsewhere' };
    expect(readOptions(none, given, '/project')).toMatchObject({
      port: 8080,
      baseUrl: 'http://localhost:8080',
      dataDir: '/project/elsewhere',
    });
  });

  it('uses the database that DATABASE_URL names, and its owner for the migrations where one is named', () => {
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

  it('takes an empty DATABASE_URL for none', () => {
    expect(readOptions(none, { DATABASE_URL: '' }, '/').external).toBeUndefined();
  });

  it('never deletes a database that is not its own', () => {
    const reset = { ...none, reset: true };
    expect(() => readOptions(reset, { DATABASE_URL: 'postgres://app@db/assay' }, '/')).toThrow('--reset deletes');
  });

  it('has a demo target, on a port of the user’s choice', () => {
    const target = (environment: Record<string, string>, flags = none) =>
      readOptions(flags, environment, '/').demoTarget;
    expect(target({ DEMO_TARGET_PORT: '8081', DEMO_TARGET: 'on' })).toEqual({ port: 8081 });
    for (const port of ['0', '65536', 'http', '1e3', '-1', '3000']) {
      expect(() => target({ DEMO_TARGET_PORT: port })).toThrow(`DEMO_TARGET_PORT is a port from 1 to 65535`);
    }
    expect(() => target({ DEMO_TARGET: 'no' })).toThrow('DEMO_TARGET is on or off, not "no".');
  });

  it('has none where nobody wants it: when told so, in production, beside a database without demo data', () => {
    const DATABASE_URL = 'postgres://app@db/assay';
    const target = (environment: Record<string, string>, flags = none) =>
      readOptions(flags, environment, '/').demoTarget;
    expect(target({ DEMO_TARGET: 'off' })).toBeUndefined();
    const ENGINE_USER_AGENT = 'Assay of example.com (security@example.com)';
    expect(target({ NODE_ENV: 'production', ENGINE_USER_AGENT, DEMO_TARGET: 'on' })).toBeUndefined();
    expect(target({ DATABASE_URL })).toBeUndefined();
    expect(target({ DATABASE_URL }, { ...none, demo: true })).toEqual({ port: undefined });
  });

  it('wants a port that can be printed', () => {
    expect(() => readOptions(none, { PORT: '0' }, '/')).toThrow('PORT=0 names no port');
    expect(() => readOptions(none, { PORT: 'http' }, '/')).toThrow('PORT must be a number');
  });
});
