// Sends a request to the demo of `npm start` and prints the response.
//
//   node examples/call.mjs ROLE PATH [BODY] [--post] [--file FILE] [--header 'Name: value'] [--only FIELDS] [--wait FIELDS[=VALUES]]
//   node examples/call.mjs NAME    prints a value of the demo data: organization, event, finding or target
//   node examples/call.mjs ROLE    prints the variables of examples/pipeline.sh for this caller
//
//   ROLE    owner, admin, member, viewer or integrator: whose API key of the demo is used
//   PATH    the path below /v1; {NAME} stands for the value of the demo data
//   BODY    JSON; the request is then a POST. --post sends a POST without a body
//   --file  sends a POST with the content of a file
//   --only  prints these fields alone, comma-separated: one line for each entry of a list
//   --wait  repeats the request every second until a field is set, or has one of the values; both are separated by |
//
// Prints errors to standard error, and exits with 1 then. Set ASSAY_DATA if `npm start` does not use the folder .assay.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

function fail(message) {
  console.error(message);
  process.exit(1);
}

const file = join(process.env.ASSAY_DATA ?? '.assay', 'demo.json');

function readDemo() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return fail(
      `Cannot read ${file} (${error.code ?? error.message}). Run \`npm start\` in another terminal first, here.`,
    );
  }
}

const options = {
  post: { type: 'boolean', default: false },
  file: { type: 'string' },
  header: { type: 'string', multiple: true, default: [] },
  only: { type: 'string' },
  wait: { type: 'string' },
};

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return fail(`${error.message.split('.')[0]}. The first lines of examples/call.mjs describe the options.`);
  }
}

const { values, positionals } = readArguments();
const [role, path, body] = positionals;
if (role === undefined)
  fail('The first argument is missing. The first lines of examples/call.mjs describe the arguments.');

const demo = readDemo();
const [ours] = demo.organizations;
const names = {
  organization: ours.id,
  event: ours.event_slug,
  finding: ours.finding_ids[0],
  target: demo.demo_target_url,
};
const user = role === 'integrator' ? demo.integrator : ours.users.find((one) => one.role === role);

if (path === undefined && Object.hasOwn(names, role)) {
  console.log(names[role] ?? fail(`The demo has no ${role}.`));
  process.exit();
}
if (user === undefined) fail(`"${role}" is not a role. Known roles: owner, admin, member, viewer, integrator.`);
if (path === undefined) {
  console.log(`export ASSAY_URL=${demo.base_url} ASSAY_API_KEY=${user.api_key} ASSAY_API_SECRET=${user.api_secret}`);
  process.exit();
}

const fill = (text) =>
  text.replace(
    /\{(organization|event|finding|target)\}/g,
    (_all, name) => names[name] ?? fail(`The demo has no ${name}.`),
  );

function readUpload(name) {
  try {
    return readFileSync(name);
  } catch (error) {
    return fail(`Cannot read ${name} (${error.code ?? error.message}).`);
  }
}

const upload = values.file === undefined ? undefined : readUpload(values.file);

async function send() {
  const headers = new Headers(values.header.map((line) => line.split(/:\s*/, 2)));
  headers.set('Authorization', `Basic ${btoa(`${user.api_key}:${user.api_secret}`)}`);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (upload !== undefined) headers.set('Content-Type', 'application/octet-stream');
  const method = body !== undefined || upload !== undefined || values.post ? 'POST' : 'GET';
  try {
    return await fetch(`${demo.base_url}/v1${fill(path)}`, { method, headers, body: upload ?? (body && fill(body)) });
  } catch {
    return fail(`${demo.base_url} does not respond. Is \`npm start\` still running?`);
  }
}

/** The entries of a list, or the object that has the field. Some responses wrap it, such as `{"job": {...}}`. */
function entriesOf(json, field) {
  const parts = Object.values(json);
  const [inner] = parts;
  if (field in json) return [json];
  const list = parts.find((part) => Array.isArray(part) && part.every((entry) => typeof entry === 'object'));
  return list ?? (typeof inner === 'object' && inner !== null ? entriesOf(inner, field) : [json]);
}

const textOf = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function lines(json, fields) {
  const rows = entriesOf(json, fields[0]).map((entry) => fields.map((field) => textOf(entry[field] ?? '-')));
  const widths = fields.map((_field, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function isReached(json, condition) {
  const [fields, wanted] = condition.split('=');
  const isWanted = (value) => (wanted === undefined ? value != null : wanted.split('|').includes(String(value)));
  return fields.split('|').some((field) => isWanted(entriesOf(json, field)[0]?.[field]));
}

let response, bytes, json;
do {
  if (response !== undefined) await setTimeout(1_000);
  response = await send();
  bytes = Buffer.from(await response.arrayBuffer());
  json = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(String(bytes)) : null;
} while (response.ok && json !== null && values.wait !== undefined && !isReached(json, values.wait));

if (!response.ok) console.error(`HTTP ${response.status}: ${json?.description ?? bytes}`);
else if (json === null) process.stdout.write(bytes);
else if (values.only !== undefined) console.log(lines(json, values.only.split(',')));
else console.log(JSON.stringify(json, null, 2));
process.exitCode = response.ok ? 0 : 1;
