import { connectionUrl, SERVICE_DATABASE } from './address';
import { readPasswords } from './cluster';
import { clusterFolder, relocatedDir } from './data-folder';
import { errorCode } from './error-code';
import { readInstance } from './instance-lock';

interface DatabaseUrls {
  readonly appUrl: string;
  readonly migrationUrl: string;
}

/** The URLs of the database that `npm start` runs on this data folder. Throws an error that says what to do if there is none. */
export function runningDatabase(dataDir: string): DatabaseUrls {
  try {
    const instance = readInstance(dataDir);
    if (instance === undefined) throw new Error(notRunning(dataDir));
    const { address } = instance;
    if (address === undefined) {
      throw new Error(
        `Assay is starting on the data in ${dataDir}. Run the command again when \`npm start\` is ready.`,
      );
    }
    const passwords = readPasswords(clusterFolder(relocatedDir(dataDir) ?? dataDir));
    const urlOf = (role: 'assay_app' | 'assay_owner'): string =>
      connectionUrl(address, role, passwords[role], SERVICE_DATABASE);
    return { appUrl: urlOf('assay_app'), migrationUrl: urlOf('assay_owner') };
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error;
    throw new Error(
      `The data in ${dataDir} belongs to another user. Run the command as the user who runs \`npm start\`.`,
      { cause: error },
    );
  }
}

const notRunning = (dataDir: string): string =>
  `DATABASE_URL is not set, and no Assay is running on the data in ${dataDir}. Start it with \`npm start\` in another ` +
  `terminal, or set DATABASE_URL to your database. If \`npm start\` uses another folder, set the same ASSAY_DATA.`;
