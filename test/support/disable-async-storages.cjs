const asyncHooks = require('node:async_hooks');

/** The storages that were created in this process since the last test file began. */
const created = (asyncHooks.AsyncLocalStorage.created ??= track());

/**
 * Runs before each test file and disables the storages of the files before. Before Node 24, every promise of the process pays
 * for every storage that was used and not disabled. Jest has one for each file, and each application has two, so without this
 * the last files of a Jest worker take twice the processor time.
 */
for (const storage of created.splice(0)) storage.disable();

/** All modules share the class of this core module, so one replacement is for the whole process. Late versions of Node 22 have a getter. */
function track() {
  const storages = [];
  const value = class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
    static created = storages;

    constructor(...options) {
      super(...options);
      storages.push(this);
    }
  };
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value, enumerable: true, configurable: true });
  return storages;
}
