const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const swc = JSON.parse(readFileSync(join(__dirname, '../../.swcrc'), 'utf8'));
delete swc.$schema;

/** Node requires this file before a program in TypeScript, so that unit specs need no build for their threads. */
for (const extension of ['.ts', '.tsx'])
  Module._extensions[extension] = (module, filename) => {
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...swc, swcrc: false, filename });
    module._compile(code, filename);
  };
