#!/usr/bin/env node
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { requireBuild, project } from './built.mjs';

requireBuild((step) => console.error(`${step} ...`));
createRequire(import.meta.url)(join(project, 'dist', 'src', 'apps', 'api', 'main.js'));
