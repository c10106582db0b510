const { readFileSync, readdirSync, existsSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');

/**
 * Nest 12 is published as ES modules only, and Jest cannot `require()` those before Node 24.9. So the packages whose
 * entry is an ES module are compiled to CommonJS like our own sources. They are found by looking, not listed by hand.
 */
function esmPackages(root = join(__dirname, 'node_modules')) {
  const names = readdirSync(root).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(root, name)).map((child) => `${name}/${child}`) : [name],
  );
  return names.filter((name) => {
    const manifest = join(root, name, 'package.json');
    if (!existsSync(manifest)) return false;
    return JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
  });
}

const swc = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));
const compiled = { ...swc, swcrc: false };
delete compiled.$schema;
const esm = esmPackages().join('|');

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  testEnvironment: join(__dirname, 'test/support/spec-environment.cjs'),
  transform: {
    '^.+\\.tsx?$': ['@swc/jest', compiled],
    'node_modules/.+\\.m?js$': [
      '@swc/jest',
      {
        swcrc: false,
        // Otherwise there are maps in the code, which each suite would read and compile with it.
        sourceMaps: true,
        jsc: { parser: { syntax: 'ecmascript' }, target: 'es2023' },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${esm})/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/clients'],
  testMatch: ['**/*.spec.ts', '**/*.spec.tsx'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/long/'],
  coveragePathIgnorePatterns: ['/node_modules/', '/testing/', '<rootDir>/test/'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFiles: ['<rootDir>/test/support/shared-async-storage.cjs', '<rootDir>/test/support/compiled-threads.cjs'],
  testTimeout: 300_000,
  // End-to-end tests wait much of their time, so there are more workers than processors.
  maxWorkers: availableParallelism() + 2,
};
