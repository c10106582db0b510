import 'reflect-metadata';
import { runInDomain } from '../../cli/run-in-domain';
import { readDemo, writeDemo } from '../demo-file';
import { seedTarget } from './seed-target';

/** Adds the demo target to demo data that has none, or another address of it. Run by `npm start`. */
async function add(file: string, url: string): Promise<void> {
  const demo = readDemo(file);
  if (demo === undefined) throw new Error(`${file} cannot be read`);
  writeDemo(file, await runInDomain((app) => seedTarget(app, demo, url)));
}

const { DEMO_FILE, DEMO_TARGET_URL } = process.env;
if (DEMO_FILE === undefined || DEMO_TARGET_URL === undefined)
  throw new Error('DEMO_FILE and DEMO_TARGET_URL must be set');
void add(DEMO_FILE, DEMO_TARGET_URL);
