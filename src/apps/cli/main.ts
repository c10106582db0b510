import 'reflect-metadata';
import { readEnvFile } from '../../platform/config/env-file';
import { runCommand } from './run-command';

readEnvFile();
void runCommand(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
