import validate from '@secvisogram/csaf-validator-lib/validate.js';
import * as mandatory from '@secvisogram/csaf-validator-lib/mandatoryTests.js';
import { csaf_2_0_strict } from '@secvisogram/csaf-validator-lib/schemaTests.js';

// Prints what the schema and the mandatory tests of CSAF find wrong in the documents of standard input, as lines.
let text = '';
for await (const part of process.stdin) text += part;
for (const document of JSON.parse(text)) {
  const { tests } = await validate([csaf_2_0_strict, ...Object.values(mandatory)], document);
  for (const { name, errors } of tests)
    for (const { message, instancePath } of errors) process.stdout.write(`${name} ${instancePath} ${message}\n`);
}
