import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// Writes the licenses of everything that is shipped with Assay. Fails if one is missing or not in the list below:
//
//   node bin/licenses.mjs [--project <folder>] [--out <file>]

const ALLOWED = new Set(
  '0BSD Apache-2.0 BSD-0-Clause BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 ISC MIT MIT-0 OFL-1.1 PSF-2.0 Python-2.0 Unlicense'.split(
    ' ',
  ),
);

/** Packages that name their license in their README alone. */
const STATED_IN_README = { 'pause@0.0.1': { license: 'MIT', sentence: '(The MIT License)' } };

/** Files in this repository that others have written. */
const FONTS = 'src/modules/reports/rendering/pdf/fonts';

const LICENSE_FILE = /^(licen[cs]e|copying|notice)|\.licen[cs]e\.txt$/i;

const { values } = parseArgs({
  options: {
    project: { type: 'string', default: dirname(dirname(fileURLToPath(import.meta.url))) },
    out: { type: 'string' },
  },
});
const project = resolve(values.project);
const problems = [];

const read = (...path) => readFileSync(join(project, ...path), 'utf8');

function licenseOf(id, path, { license, licenses }) {
  const stated = STATED_IN_README[id];
  const isStated = stated !== undefined && read(path, 'Readme.md').includes(stated.sentence);
  const named = license ?? licenses?.map(({ type }) => type).join(' OR ') ?? (isStated ? stated.license : undefined);
  return typeof named === 'object' ? named.type : named;
}

function textsOf(path) {
  const names = readdirSync(join(project, path)).filter((name) => LICENSE_FILE.test(name));
  return names.sort().map((name) => read(path, name).replaceAll('\r\n', '\n').trim());
}

const isAllowed = (license) =>
  license
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((one) => ALLOWED.has(one));

/** The production packages in the lockfile. Those for other platforms are not installed, so none of these has a text. */
function packages() {
  const { packages: locked } = JSON.parse(read('package-lock.json'));
  return Object.entries(locked)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .flatMap(([path, entry]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const id = `${name}@${entry.version}`;
      const isForOnePlatform = entry.os !== undefined || entry.cpu !== undefined;
      const isInstalled = existsSync(join(project, path, 'package.json'));
      if (!isForOnePlatform && !isInstalled) {
        problems.push(`${id} is not installed. Run npm install first.`);
        return [];
      }
      const manifest = isForOnePlatform ? entry : JSON.parse(read(path, 'package.json'));
      const license = licenseOf(id, path, manifest);
      if (license === undefined) problems.push(`${id} names no license.`);
      else if (!isAllowed(license))
        problems.push(`${id} has the license ${license}, which is not in the list of bin/licenses.mjs.`);
      return [{ id, license, texts: isForOnePlatform ? [] : textsOf(path), author: authorOf(manifest) }];
    });
}

function authorOf({ author, contributors }) {
  const [first] = author === undefined ? (contributors ?? []) : [author];
  return typeof first === 'object' ? first.name : first?.replace(/ *[<(].*$/, '');
}

const fonts = () => ({
  id: `Fonts of PDF reports: ${FONTS}`,
  license: 'OFL-1.1',
  texts: [read(FONTS, 'OFL.txt').trim()],
});

const everything = [...packages(), fonts()];
const unique = [...new Map(everything.map((one) => [one.id, one])).values()];
const textOfLicense = new Map();
for (const { id, license, texts } of unique)
  if (texts.length > 0 && !textOfLicense.has(license)) textOfLicense.set(license, id);

/** A package without a text has the terms of its license, which another package has in full. */
function section({ id, license, texts, author }) {
  if (texts.length === 0 && license !== undefined && !textOfLicense.has(license))
    problems.push(`${id} has no text of its license ${license}, and no other package has it.`);
  const pointer = `Copyright (c) ${author ?? `the authors of ${id}`}\nThe text of the license is that of ${textOfLicense.get(license)}.`;
  return `${id}\nLicense: ${license}\n\n${texts.length === 0 ? pointer : texts.join('\n\n')}\n`;
}

const line = '='.repeat(80);
const intro = `Assay is shipped with, or installs, the following packages and files of others.\n`;
const document = [intro, ...unique.sort((one, other) => (one.id < other.id ? -1 : 1)).map(section)].join(
  `\n${line}\n\n`,
);
if (problems.length > 0) {
  console.error(problems.sort().join('\n'));
  process.exitCode = 1;
} else if (values.out === undefined) process.stdout.write(document);
else {
  mkdirSync(dirname(resolve(values.out)), { recursive: true });
  writeFileSync(resolve(values.out), document);
}
