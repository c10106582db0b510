#!/usr/bin/env node
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { requireBuild, project } from './built.mjs';

/** The format of `StartOutput.step`. */
const announce = (step) => console.log(`${process.uptime().toFixed(1).padStart(6)} s  ${step}`);

const args = process.argv.slice(2);
if (!args.includes('--help')) announce('Starting Assay');
requireBuild(announce);
const program = join(project, 'dist', 'src', 'apps', 'local', 'main.js');
const { start } = createRequire(import.meta.url)(program);
await start(args, project);
