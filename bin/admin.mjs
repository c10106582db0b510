#!/usr/bin/env node
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { requireBuild, project } from './built.mjs';

// On standard error, because some commands write a document to standard output.
requireBuild((step) => console.error(`${step} ...`));
createRequire(import.meta.url)(join(project, 'dist', 'src', 'apps', 'cli', 'main.js'));
