/**
 * The arrows of docs/architecture.md. `test/architecture` plants a violation of each rule and expects it to be refused.
 * Imports of types count too: a module that knows the shape of a thing depends on it.
 */
const { modules: allowedImports, engineUsers, findings, platform } = require('./test/architecture/allowed-imports.cjs');

const modules = `(${Object.keys(allowedImports).join('|')})`;
const findingsFolders = `(${findings.join('|')})`;

const platformLayers = platform.slice(0, -1).map((name, index) => ({
  name: `platform-${name}`,
  comment: `${name} may import: ${platform.slice(0, index).join(', ') || 'no other folder of the platform'}`,
  severity: 'error',
  from: { path: `(^|/)src/platform/${name}/`, pathNot: '\\.spec\\.ts$' },
  to: { path: `(^|/)src/platform/(${platform.slice(index + 1).join('|')})/` },
}));

const moduleArrows = Object.entries(allowedImports).map(([name, allowed]) => ({
  name: `module-${name}`,
  comment: `${name} may import: ${allowed.join(', ') || 'no other module'}`,
  severity: 'error',
  from: { path: `(^|/)src/modules/${name}/` },
  to: { path: `(^|/)src/modules/${modules}/`, pathNot: `(^|/)src/modules/(${[name, ...allowed].join('|')})/` },
}));

/** The folders of `findings`. What is beside them, the service and `http`, may import each. */
const findingsArrows = findings.map((name, index) => ({
  name: `findings-${name}`,
  comment: `${name} may import: ${findings.slice(0, index).join(', ') || 'no other folder of findings'}, domain, data and rendering`,
  severity: 'error',
  from: { path: `(^|/)src/modules/findings/${name}/` },
  to: { path: `(^|/)src/modules/findings/(${[...findings.slice(index + 1), 'http'].join('|')})/` },
}));

/** Inside a module: http and work import the service, the service imports data and domain, never the reverse. */
const inside = [
  ['data', ['http', 'work']],
  ['domain', ['http', 'work', 'data']],
].map(([layer, forbidden]) => ({
  name: `layer-${layer}`,
  severity: 'error',
  from: { path: [`(^|/)src/modules/${modules}/${layer}/`, `(^|/)src/modules/findings/${findingsFolders}/${layer}/`] },
  to: {
    path: [
      `(^|/)src/modules/${modules}/(${forbidden.join('|')})/`,
      `(^|/)src/modules/findings/${findingsFolders}/(${forbidden.join('|')})/`,
    ],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles-between-files', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'kernel-imports-nothing',
      severity: 'error',
      from: { path: '(^|/)src/kernel/', pathNot: '\\.spec\\.ts$' },
      to: { path: '(^|/)src/(apps|modules|engine|platform|scanner-files)/|node_modules/(@nestjs|typeorm|pg)/' },
    },
    {
      name: 'platform-knows-no-domain',
      severity: 'error',
      from: { path: '(^|/)src/platform/' },
      to: { path: '(^|/)src/(apps|modules|engine)/' },
    },
    {
      name: 'engine-is-plain',
      severity: 'error',
      from: { path: '(^|/)src/engine/' },
      to: { path: '(^|/)src/(apps|modules|platform)/|node_modules/(@nestjs|typeorm|pg)/' },
    },
    {
      name: 'engine-only-for-modules-that-test',
      severity: 'error',
      from: { path: `(^|/)src/modules/${modules}/`, pathNot: `(^|/)src/modules/(${engineUsers.join('|')})/` },
      to: { path: '(^|/)src/engine/' },
    },
    {
      name: 'modules-know-no-apps',
      severity: 'error',
      from: { path: '(^|/)src/modules/' },
      to: { path: '(^|/)src/apps/' },
    },
    {
      name: 'modules-only-through-the-door',
      severity: 'error',
      from: { path: `(^|/)src/modules/${modules}/` },
      to: {
        path: `(^|/)src/modules/${modules}/`,
        pathNot: [
          `(^|/)src/modules/$2/`,
          `(^|/)src/modules/${modules}/index\\.ts$`,
          `(^|/)src/modules/${modules}/domain/`,
        ],
      },
    },
    {
      name: 'only-rules-import-rules',
      comment: 'all else imports what a module exports in its index.ts',
      severity: 'error',
      from: { path: `(^|/)src/modules/${modules}/`, pathNot: `(^|/)src/modules/${modules}/domain/` },
      to: { path: `(^|/)src/modules/${modules}/domain/`, pathNot: `(^|/)src/modules/$2/` },
    },
    {
      name: 'rules-load-no-module',
      comment: 'an index.ts loads its whole module: import values from its domain, or from the file of the engine',
      severity: 'error',
      from: { path: `(^|/)src/modules/${modules}/domain/`, pathNot: '\\.spec\\.ts$' },
      to: {
        path: [`(^|/)src/modules/${modules}/index\\.ts$`, '(^|/)src/engine/index\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'portal-only-for-apps',
      severity: 'error',
      from: { path: '(^|/)src/(kernel|platform|engine|modules)/' },
      to: { path: '(^|/)src/portal/' },
    },
    {
      name: 'portal-knows-no-apps-and-no-engine',
      severity: 'error',
      from: { path: '(^|/)src/portal/' },
      to: { path: '(^|/)src/(apps|engine)/' },
    },
    {
      name: 'apps-only-through-the-door',
      severity: 'error',
      from: { path: '(^|/)src/(apps|portal)/' },
      to: { path: `(^|/)src/modules/${modules}/`, pathNot: `(^|/)src/modules/${modules}/index\\.ts$` },
    },
    {
      name: 'typeorm-stays-with-the-data',
      severity: 'error',
      from: {
        path: '(^|/)src/',
        pathNot: [
          '(^|/)src/modules/[^/]+/data/',
          `(^|/)src/modules/findings/${findingsFolders}/data/`,
          '(^|/)src/platform/database/',
          '\\.spec\\.ts$',
        ],
      },
      to: { path: 'node_modules/typeorm/' },
    },
    {
      name: 'beacon-protocol-is-plain',
      comment: 'the agent, the API and the worker use it',
      severity: 'error',
      from: { path: '(^|/)src/beacon-protocol/', pathNot: '\\.spec\\.ts$' },
      to: { path: '(^|/)src/(?!beacon-protocol/|kernel/)|node_modules/(?!@types/(node|ws)/|ws/)' },
    },
    {
      name: 'beacon-agent-is-small',
      comment: 'it is one file, which the owner of a private network can read',
      severity: 'error',
      from: { path: '(^|/)src/apps/beacon/', pathNot: ['\\.spec\\.ts$', '/testing/'] },
      to: {
        path: '(^|/)src/(?!apps/beacon/|beacon-protocol/|kernel/)|node_modules/(?!@types/(node|ws)/|ws/|ipaddr\\.js/)',
      },
    },
    {
      name: 'scanner-files-is-plain',
      comment: 'it reads hostile files and must not reach anything',
      severity: 'error',
      from: { path: '(^|/)src/scanner-files/', pathNot: ['\\.spec\\.ts$', '/testing/'] },
      to: {
        path: '(^|/)src/(?!scanner-files/|kernel/)|node_modules/(?!@types/node/|saxes/|csv-parse/)',
      },
    },
    {
      name: 'scanner-files-only-for-imports',
      severity: 'error',
      from: { path: '(^|/)src/', pathNot: '(^|/)src/(scanner-files|modules/imports)/' },
      to: { path: '(^|/)src/scanner-files/' },
    },
    {
      name: 'scanner-files-only-through-the-door',
      severity: 'error',
      from: { path: '(^|/)src/modules/' },
      to: { path: '(^|/)src/scanner-files/', pathNot: '(^|/)src/scanner-files/index\\.ts$' },
    },
    {
      name: 'clients-know-no-server',
      comment: 'they know what docs/openapi.yaml says, as other clients do',
      severity: 'error',
      from: { path: '(^|/)clients/' },
      to: { path: '(^|/)(src|test|migrations)/', pathNot: '(^|/)clients/' },
    },
    {
      name: 'clients-only-for-the-api',
      comment: 'its MCP server has the tools of clients/mcp, which call /v1',
      severity: 'error',
      from: { path: '(^|/)src/', pathNot: ['(^|/)src/apps/api/agent-calls\\.ts$', '(^|/)clients/'] },
      to: { path: '(^|/)clients/' },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { path: '(^|/)src/', pathNot: ['\\.spec\\.tsx?$', '/testing/'] },
      to: { path: '(^|/)test/|/testing/|\\.spec\\.tsx?$' },
    },
    ...platformLayers,
    ...moduleArrows,
    ...findingsArrows,
    ...inside,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
