/**
 * The arrows of docs/architecture.md. `test/architecture` plants a violation of each rule and sees it refused.
 * Types count like everything else: who knows the shape of a thing depends on it.
 */
const modules = '(organizations|identity|assets|beacons|events|findings|reports|jobs|audit|settings)';

/** Folders that may not depend on each other in a cycle, although no cycle of files shows it. */
const folders = 'src/(platform|modules)/[^/]+';

/** Which modules a module may open the door of. */
const arrows = {
  organizations: [],
  identity: ['organizations'],
  audit: ['organizations'],
  beacons: ['organizations'],
  settings: ['organizations'],
  findings: ['organizations', 'beacons'],
  assets: ['organizations', 'beacons', 'findings'],
  events: ['organizations', 'beacons', 'findings', 'assets', 'settings'],
  jobs: ['organizations', 'beacons', 'findings', 'assets', 'events'],
  reports: ['organizations', 'beacons', 'findings', 'assets', 'events', 'jobs'],
};

const moduleArrows = Object.entries(arrows).map(([name, allowed]) => ({
  name: `module-${name}`,
  comment: `${name} may know: ${allowed.join(', ') || 'no other module'}`,
  severity: 'error',
  from: { path: `(^|/)src/modules/${name}/` },
  to: { path: `(^|/)src/modules/${modules}/`, pathNot: `(^|/)src/modules/(${[name, ...allowed].join('|')})/` },
}));

/** Inside a module: http and work know the service, the service knows data and domain, and never the other way. */
const inside = [
  ['data', ['http', 'work']],
  ['domain', ['http', 'work', 'data']],
].map(([layer, forbidden]) => ({
  name: `layer-${layer}`,
  severity: 'error',
  from: { path: `(^|/)src/modules/${modules}/${layer}/` },
  to: { path: `(^|/)src/modules/${modules}/(${forbidden.join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles-between-files', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-cycles-between-folders',
      comment: 'What two folders of the platform both need is in src/platform/api, below the others.',
      severity: 'error',
      scope: 'folder',
      from: { path: `(^|/)${folders}$` },
      to: { path: `(^|/)${folders}$`, circular: true },
    },
    {
      name: 'kernel-imports-nothing',
      severity: 'error',
      from: { path: '(^|/)src/kernel/', pathNot: '\\.spec\\.ts$' },
      to: { path: '(^|/)src/(apps|modules|engine|platform)/|node_modules/(@nestjs|typeorm|pg)/' },
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
      name: 'engine-only-for-findings-and-jobs',
      severity: 'error',
      from: { path: `(^|/)src/modules/${modules}/`, pathNot: '(^|/)src/modules/(findings|jobs)/' },
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
        pathNot: [`(^|/)src/modules/$2/`, `(^|/)src/modules/${modules}/index\\.ts$`],
      },
    },
    {
      name: 'apps-only-through-the-door',
      severity: 'error',
      from: { path: '(^|/)src/apps/' },
      to: { path: `(^|/)src/modules/${modules}/`, pathNot: `(^|/)src/modules/${modules}/index\\.ts$` },
    },
    {
      name: 'typeorm-stays-with-the-data',
      severity: 'error',
      from: {
        path: '(^|/)src/',
        pathNot: ['(^|/)src/modules/[^/]+/data/', '(^|/)src/platform/database/', '\\.spec\\.ts$'],
      },
      to: { path: 'node_modules/typeorm/' },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { path: '(^|/)src/', pathNot: '\\.spec\\.tsx?$' },
      to: { path: '(^|/)test/|\\.spec\\.tsx?$' },
    },
    ...moduleArrows,
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
