import { server, template } from './database';
import { dropDatabases } from './global-setup';

/** Drops what the run before has left, and keeps its template. */
export default (): Promise<void> => dropDatabases(server(), template(server()));
