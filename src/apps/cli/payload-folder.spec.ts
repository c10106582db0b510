import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkTemplates } from './check-template';
import { PayloadFolder } from './payload-folder';

const templateOf = (...files: string[]): string => `id: sample
info: {name: A sample}
http:
  - path: ["{{BaseURL}}/${files.map((_file, index) => `{{p${index}}}`).join('/')}"]
    attack: pitchfork
    payloads: # of the product
${files.map((file, index) => `      p${index}: ${file} # a file\n`).join('')}
    matchers: [{type: word, words: [a]}]
`;

let root = '';
let folder = '';
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'payloads-')));
  folder = join(root, 'templates');
  await mkdir(join(folder, 'http'), { recursive: true });
  await mkdir(join(folder, 'lists'));
  await writeFile(join(folder, 'lists', 'versions.txt'), '6.4.1\r\n\n "quoted": é\u2028\n');
  await writeFile(join(folder, 'http', 'beside.txt'), 'beside');
  await writeFile(join(root, 'secret.txt'), 'a secret');
});
afterAll(() => rm(root, { recursive: true }));

const fill = async (...files: string[]) =>
  (await PayloadFolder.at(folder)).fill(join(folder, 'http', 'a.yaml'), templateOf(...files));

it('replaces the names of files by their lines, below the folder or beside the template, and keeps the rest', async () => {
  const { source, notes } = await fill('lists/versions.txt', '"beside.txt"');
  expect(notes).toEqual([]);
  expect(source).toBe(templateOf(String.raw`["6.4.1", " \"quoted\": \u00e9\u2028"]`, '["beside"]'));
});

it('leaves templates alone that state their values, or that cannot be read', async () => {
  const payloads = await PayloadFolder.at(folder);
  for (const source of [templateOf('[a, b]'), 'payloads: [', 'http:\n  - payloads: a', 'payloads:\n  a: b'])
    expect(await payloads.fill(join(folder, 'a.yaml'), source)).toEqual({ source, notes: [] });
});

describe('a payload file is refused with the line and the reason', () => {
  const refusal = async (file: string): Promise<string> => {
    const { source, notes } = await fill(file);
    expect(source).toBe(templateOf(file));
    expect(notes).toEqual([{ line: 7, place: 'http[0].payloads.p0', text: expect.any(String) }]);
    return notes[0]?.text ?? '';
  };

  it('with an absolute path', async () => {
    expect(await refusal(join(folder, 'lists', 'versions.txt'))).toContain('is an absolute path');
  });

  it('with a path that leaves the folder', async () => {
    expect(await refusal('../secret.txt')).toBe('../secret.txt has "..", so it may leave the folder that is loaded');
    expect(await refusal('lists/../../secret.txt')).toContain('has ".."');
  });

  it('which is a symbolic link, or is in a folder that is one', async () => {
    await symlink(join(root, 'secret.txt'), join(folder, 'link.txt'));
    await symlink(root, join(folder, 'outside'));
    expect(await refusal('link.txt')).toBe('link.txt is a symbolic link');
    expect(await refusal('outside/secret.txt')).toBe('outside/secret.txt is a symbolic link');
  });

  it('which is larger than 1 MiB, is no file or no text, or has no values', async () => {
    await writeFile(join(folder, 'large.txt'), 'a');
    await truncate(join(folder, 'large.txt'), 1_048_577);
    await writeFile(join(folder, 'empty.txt'), '\n\n');
    await writeFile(join(folder, 'latin.txt'), Buffer.from([0xe9]));
    expect(await refusal('large.txt')).toBe('large.txt has 1048577 bytes; a file of payloads has at most 1048576');
    expect(await refusal('lists')).toBe('lists is not a file');
    expect(await refusal('latin.txt')).toBe('latin.txt is not UTF-8');
    expect(await refusal('empty.txt')).toBe('empty.txt has no values');
  });

  it('which is not in the folder', async () => {
    expect(await refusal('lists/none.txt')).toBe(
      `lists/none.txt is not in ${folder}; load the folder that contains it`,
    );
  });
});

it('check-template reads the files of a folder, and only those beside a single template', async () => {
  await writeFile(join(folder, 'http', 'a.yaml'), templateOf('lists/versions.txt', 'lists/versions.txt'));
  expect((await checkTemplates(folder)).text).toContain('a.yaml: sample, 2 requests');
  const alone = await checkTemplates(join(folder, 'http', 'a.yaml'));
  expect(alone.text).toContain(
    `line 7: http[0].payloads.p0: lists/versions.txt is not in ${join(folder, 'http')}; load the folder that contains it`,
  );
});
