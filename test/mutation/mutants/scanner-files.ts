import type { Mutant } from '../mutant';

const reading = 'src/scanner-files/read-scanner-file.spec.ts';
const inThread = 'src/scanner-files/read-in-thread.ts';
const threads = 'src/scanner-files/read-in-thread.spec.ts';
const drafts = 'src/scanner-files/finding-draft.spec.ts';
const formats = 'src/scanner-files/formats/formats.spec.ts';

/** The files of scanners are hostile input, and carry the credentials of those who scanned. */
export const scannerFiles: readonly Mutant[] = [
  {
    name: 'scanner files: XML entities may be declared',
    file: 'src/scanner-files/split-xml.ts',
    search: 'if (/<!ENTITY/i.test(doctype))',
    replace: 'if (false)',
    spec: reading,
    test: 'an external entity',
  },
  {
    name: 'scanner files: an external DTD may be named',
    file: 'src/scanner-files/split-xml.ts',
    search: String.raw`if (/\b(?:SYSTEM|PUBLIC)\b/.test(name))`,
    replace: 'if (false)',
    spec: reading,
    test: 'an external DTD',
  },
  {
    name: 'scanner files: XML may be nested without end',
    file: 'src/scanner-files/split-xml.ts',
    search: 'if (this.open.length + this.ignoredDepth >= MAX_DEPTH)',
    replace: 'if (false)',
    spec: reading,
    test: 'deep XML',
  },
  {
    name: 'scanner files: a text of XML may be of any size',
    file: 'src/scanner-files/split-xml.ts',
    search: 'if (this.sinceToken > MAX_XML_TOKEN)',
    replace: 'if (false)',
    spec: reading,
    test: 'that is too large to be kept',
  },
  {
    name: 'scanner files: JSON may be nested without end',
    file: 'src/scanner-files/json-splitter.ts',
    search: 'if (this.frames.length + inside > MAX_DEPTH)',
    replace: 'if (false)',
    spec: reading,
    test: 'deep JSON',
  },
  {
    name: 'scanner files: a value of JSON may be of any size',
    file: 'src/scanner-files/json-splitter.ts',
    search: 'export const MAX_JSON_VALUE = 8 * 1024 * 1024;',
    replace: 'export const MAX_JSON_VALUE = 800 * 1024 * 1024;',
    spec: reading,
    test: 'refuses a row that is too large and reads the next one',
  },
  {
    name: 'scanner files: headers with credentials are kept',
    file: 'src/scanner-files/clean-text.ts',
    search: '.replace(IN_LINE, `$1$2 ${REDACTED}`)',
    replace: '',
    spec: formats,
    test: 'gives texts without HTML, and evidence without credentials',
  },
  {
    name: 'scanner files: passwords in addresses are kept',
    file: 'src/scanner-files/finding-draft.ts',
    search: `url.password = '';`,
    replace: '',
    spec: drafts,
    test: 'applies to every text of a finding',
  },
  {
    name: 'scanner files: a request that changes something is replayed',
    file: 'src/scanner-files/finding-draft.ts',
    search: `(method !== 'GET' && method !== 'HEAD')`,
    replace: 'method === null',
    spec: formats,
    test: 'a request that changes something',
  },
  {
    name: 'scanner files: a text that the response lacks is replayed',
    file: 'src/scanner-files/formats/nuclei.ts',
    search: 'response?.includes(text) === true',
    replace: 'text !== null',
    spec: formats,
    test: 'a response without the extracted text',
  },
  {
    name: 'scanner files: any number of elements may be outside of results',
    file: 'src/scanner-files/split-xml.ts',
    search: 'if (this.otherElements > MAX_OTHER_ELEMENTS)',
    replace: 'if (false)',
    spec: reading,
    test: 'end the file when there are more than a million',
  },
  {
    name: 'scanner files: every element of XML is given to the format',
    file: 'src/scanner-files/split-xml.ts',
    search: "if (opened === 'all' || opened.has(element.name))",
    replace: 'if (opened !== null)',
    spec: reading,
    test: 'are not given to a format that does not ask for them',
  },
  {
    name: 'scanner files: a step of reading may take any time',
    file: inThread,
    search: 'await thread.ask(message, left)',
    replace: 'await thread.ask(message, 600_000)',
    spec: threads,
    test: 'ends when reading takes too long',
  },
  {
    name: 'scanner files: only each step of reading has a limit of time',
    file: inThread,
    search: 'left = Math.max(0, left - (performance.now() - started));',
    replace: '',
    spec: threads,
    test: 'ends when its steps together take too long',
  },
  {
    name: 'scanner files: the thread of a canceled import goes on',
    file: inThread,
    search: "signal.addEventListener('abort', end);",
    replace: '',
    spec: threads,
    test: 'ends at once when the import is canceled',
  },
  {
    name: 'scanner files: a thread reads on while a batch is used',
    file: 'src/scanner-files/reading-program.ts',
    search: "await this.exchange('turn');",
    replace: "this.answer('turn');",
    spec: threads,
    test: 'comes in batches of 100 rows',
  },
];
