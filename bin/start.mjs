import { createRequire } from 'node:module';
import { join } from 'node:path';
import { requireBuild, project } from './built.mjs';

requireBuild();
const program = join(project, 'dist', 'src', 'apps', 'local', 'main.js');
const { start } = createRequire(import.meta.url)(program);
await start(process.argv.slice(2), project);
