import { programAt } from './command-example';

it.each([
  ['/srv/node_modules/.bin/assay-admin', 'assay-admin'],
  ['/srv/assay/bin/admin.mjs', 'npm run cli --'],
  [undefined, 'npm run cli --'],
])('help for the script %s names the program %s', (script, program) => expect(programAt(script)).toBe(program));
