const asyncHooks = require('node:async_hooks');

const [major] = process.versions.node.split('.');

/**
 * Before Node 24, every promise of the process pays for every storage that was used and not disabled: each test file and each
 * application has some, and a Jest worker starts hundreds of applications. So all storages keep their values in one. Modules
 * of all test files share this core module, so it is replaced once for a process. Late versions of Node 22 have a getter.
 */
if (Number(major) < 24 && asyncHooks.AsyncLocalStorage.isShared !== true) {
  const frames = new asyncHooks.AsyncLocalStorage();

  class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
    static isShared = true;
    key = {};

    getStore() {
      return frames.getStore()?.get(this.key);
    }

    run(store, callback, ...parameters) {
      return frames.run(this.frameWith(store), callback, ...parameters);
    }

    exit(callback, ...parameters) {
      return this.run(undefined, callback, ...parameters);
    }

    enterWith(store) {
      frames.enterWith(this.frameWith(store));
    }

    disable() {
      this.key = {};
    }

    /** A copy, because promises of the code outside keep theirs. */
    frameWith(store) {
      return new Map(frames.getStore()).set(this.key, store);
    }
  }

  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', {
    value: AsyncLocalStorage,
    enumerable: true,
    configurable: true,
  });
}
