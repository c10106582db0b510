import { readEnvFile } from '../../platform/config/env-file';
import { runCommand } from './run-command';

readEnvFile();
void runCommand(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // Not after a success, because output may not be written yet. After a failure, a pending name lookup can take many seconds.
  if (code !== 0) process.exit();
});
