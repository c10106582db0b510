// Copied to `dist`, where the programs load their modules with it: bin/bundle.mjs writes the bundles.
const { closeSync, openSync, readFileSync, readSync, renameSync, writeFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const v8 = require('node:v8');
const { Script } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

/**
 * V8's compiled code of one program, beside the bundle. It holds for this version and these flags of Node alone, and is written when
 * a process ends whose start was slow because there was none.
 */
class CompiledCode {
  constructor(bundle, hash, program) {
    this.tag = v8.cachedDataVersionTag();
    this.file = join(__dirname, `${bundle}.${program.replaceAll('/', '-')}.${hash}-${this.tag}.compiled`);
    try {
      this.data = readFileSync(this.file);
    } catch {
      this.data = undefined;
    }
  }

  /** The API and the worker set this flag themselves: code for other flags is not accepted by the next process. */
  write(script) {
    try {
      v8.setFlagsFromString('--heap-growing-percent=0');
      if (v8.cachedDataVersionTag() !== this.tag) return;
      const temporary = `${this.file}.${process.pid}`;
      // Opened first, because to create the code of a large program takes 200 ms.
      const file = openSync(temporary, 'wx');
      writeFileSync(file, script.createCachedData());
      closeSync(file);
      renameSync(temporary, this.file);
    } catch {
      // The folder is read-only, as in the image.
    }
  }
}

/** Lines of the bundle in stack traces become files and lines of the sources. Each takes a read of two bytes. */
class SourceLines {
  constructor(bundle) {
    this.pattern = new RegExp(`(?:file://)?[^\\s()]*[/\\\\]${bundle}\\.bundle\\.js:(\\d+):\\d+`, 'g');
    this.file = join(__dirname, `${bundle}.lines`);
  }

  inStack(stack) {
    return stack.replace(this.pattern, (position, line) => {
      try {
        return this.source(Number(line)) ?? position;
      } catch {
        return position;
      }
    });
  }

  source(line) {
    this.modules ??= JSON.parse(readFileSync(`${this.file}.json`, 'utf8'));
    const [, path] = this.modules.findLast(([first]) => first <= line) ?? [];
    const bytes = Buffer.alloc(2);
    const file = openSync(this.file, 'r');
    readSync(file, bytes, 0, 2, 2 * line);
    closeSync(file);
    return path === undefined ? undefined : `${path}:${bytes.readUInt16LE()}`;
  }
}

/** Loads a program of a bundle, as `require` would load it from a file of its own. */
module.exports = (bundle, hash, program) => {
  const filename = join(__dirname, `${bundle}.bundle.js`);
  const compiled = new CompiledCode(bundle, hash, basename(dirname(program)) + '-' + basename(program, '.js'));
  // Latin 1, because the build escapes all other characters: V8 then keeps a byte for each.
  const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: compiled.data });
  const isSlow = compiled.data === undefined || script.cachedDataRejected;
  if (isSlow && isMainThread) process.on('exit', () => compiled.write(script));
  const lines = new SourceLines(bundle);
  Error.prepareStackTrace = (error, calls) => lines.inStack([error, ...calls].map(String).join('\n    at '));

  const { modules, packages } = script.runInThisContext();
  const loaded = new Map();
  const requireModule = (id) => {
    const known = loaded.get(id);
    if (known !== undefined) return known.exports;
    const path = join(__dirname, id);
    const module = { id: path, filename: path, exports: {} };
    loaded.set(id, module);
    try {
      modules[id].call(module.exports, module.exports, requireAny, module, path, dirname(path));
    } catch (error) {
      loaded.delete(id);
      throw error;
    }
    return module.exports;
  };
  let loaders;
  const requireAny = (id) => {
    if (Object.hasOwn(modules, id)) return requireModule(id);
    loaders ??= packages(require, requireAny);
    return Object.hasOwn(loaders, id) ? loaders[id]() : require(id);
  };
  requireAny.resolve = require.resolve;
  return requireModule(program);
};
