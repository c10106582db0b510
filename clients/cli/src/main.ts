import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import {
  AssayError,
  BadRequestError,
  ConnectionError,
  ForbiddenError,
  safeLine,
  TimeoutError,
  UnauthorizedError,
} from '../../sdk/src';
import { type AuditFlags, verifyAudit } from './audit';
import { completionFor } from './completion';
import { open, verify } from './evidence';
import { accept, assign, comment, findings, type ListFlags, retest, show } from './findings';
import { assets, events, feed, importFile, observe, report } from './inventory';
import { login, type LoginFlags } from './login';
import type { Terminal } from './output';
import { EXIT, Problem } from './problem';
import { cancel, gate, type GateFlags, scan, type ScanFlags } from './scans';
import { type CommonFlags, Session } from './session';

declare const ASSAY_VERSION: string;

type Action<Flags extends CommonFlags> = (session: Session, words: string[], flags: Flags) => Promise<number | void>;

/** A longer time would end a wait at once. */
const MAX_SECONDS = 2_000_000;

function seconds(text: string): number {
  const number = whole(text);
  if (number > 0 && number <= MAX_SECONDS) return number;
  throw new InvalidArgumentError(`It must be 1 to ${MAX_SECONDS} seconds.`);
}

function whole(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

const collect = (text: string, before: string[] = []): string[] => [...before, text];

export function programFor(terminal: Terminal, exit: (code: number) => void): Command {
  const program = new Command('assay')
    .description('Assay in the terminal and in pipelines. docs/terminal.md says more.')
    .version(ASSAY_VERSION)
    .showHelpAfterError('Help: assay --help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    });

  /** A command with the options that all have. */
  function add<Flags extends CommonFlags>(
    usage: string,
    text: string,
    action: Action<Flags>,
    options: readonly Option[] = [],
  ): void {
    const command = program.command(usage).description(text);
    for (const option of [...options, ...common()]) command.addOption(option);
    command.action(async (...parameters: unknown[]) => {
      const words = parameters
        .slice(0, -2)
        .flat()
        .filter((word): word is string => typeof word === 'string');
      const session = new Session(terminal, parameters.at(-2) as Flags);
      try {
        exit((await action(session, words, parameters.at(-2) as Flags)) ?? EXIT.success);
      } finally {
        session.output.stopProgress();
      }
    });
  }

  const wait = new Option('--wait', 'wait for the end');
  const timeout = new Option(
    '--timeout <seconds>',
    'the longest wait; elsewhere than on a terminal, the scan is then canceled',
  ).argParser(seconds);
  const limit = new Option('--limit <number>', 'the most records').argParser(whole);
  const severity = new Option('--severity <severity>', 'the lowest severity');
  const event = new Option('--event <slug>', 'the event');
  const gates = [
    wait,
    new Option('--severity <severity>', 'the lowest severity that fails (default: medium)'),
    new Option('--incomplete <allow>', 'allow: continue although checks are incomplete'),
    new Option('--report <format>', 'write sarif, gitlab, junit, json or csv, also as FORMAT=FILE').argParser(collect),
    new Option('--category <name>', 'the category of the alerts in SARIF'),
    new Option('--fail-on <all|new>', 'new: fail only for what the reference did not have'),
    new Option('--reference <name>', 'with --fail-on new, by default main; of another asset as 12/main'),
    new Option('--record <name>', 'record the scan as this reference, when it has finished'),
    timeout,
  ];

  add(
    'login',
    'Keep a key for a service; the key comes from standard input',
    (session, _words, flags: CommonFlags & LoginFlags) => login(session, flags),
    [
      new Option('--default', 'use this profile from now on'),
      new Option('--scope <scope>', 'of the key that the portal proposes').choices(['read', 'ci', 'write']),
    ],
  );
  add('scan <url>', 'Scan a URL', (session, [url = ''], flags: ScanFlags) => scan(session, url, flags), [
    new Option('--depth <depth>', 'standard or active'),
    new Option('--checks <id...>', 'only these checks and tags'),
    new Option('--account <name>', 'scan signed in with this account as well; repeat it for more').argParser(collect),
    event,
    new Option('--beacon <id>', 'the beacon that the URL is behind').argParser(whole),
    ...gates,
  ]);
  add(
    'gate <scan>',
    'Say whether a scan lets a pipeline continue',
    (session, [uuid = ''], flags: GateFlags) => gate(session, uuid, flags),
    gates,
  );
  add('cancel <scan>', 'Stop a scan', (session, [uuid = '']) => cancel(session, uuid));
  add('findings', 'List findings', (session, _words, flags: ListFlags) => findings(session, flags), [
    severity,
    new Option('--status <status>', 'such as open or resolved'),
    new Option('--asset <id>', 'of this asset').argParser(whole),
    new Option('--check <id>', 'of this check'),
    new Option('--label <label>', 'with this label'),
    new Option('-q, --query <text>', 'with this text'),
    new Option('--overdue', 'past their due date'),
    limit,
  ]);
  add('show <finding>', 'Show a finding', (session, [id = '']) => show(session, idOf(id)));
  add(
    'retest <finding>',
    'Test again whether a finding is fixed',
    (session, [id = ''], flags) => retest(session, idOf(id), flags),
    [wait, timeout],
  );
  add(
    'accept <finding>',
    'Accept the risk of a finding',
    (session, [id = ''], flags: CommonFlags & { until?: string; comment?: string }) => accept(session, idOf(id), flags),
    [new Option('--until <date>', 'the last day, such as 2027-01-31'), new Option('--comment <text>', 'why')],
  );
  add('assign <finding> <user>', 'Assign a finding to an id, an address, me or none', (session, [id = '', user = '']) =>
    assign(session, idOf(id), user),
  );
  add('comment <finding> [text...]', 'Comment a finding, also from standard input', (session, [id = '', ...words]) =>
    comment(session, idOf(id), words),
  );
  add(
    'import <file>',
    'Import the file of a scanner',
    (session, [file = ''], flags) => importFile(session, file, flags),
    [
      new Option('--dry-run', 'show what would change, and change nothing'),
      new Option('--format <format>', 'by default recognized'),
      new Option('--asset <value>', 'the asset of results without a host'),
      new Option('--unknown-assets <what>', 'refuse or add'),
      event,
    ],
  );
  add(
    'report [subject]',
    'Write a report of a scan (UUID), an event (slug) or the organization',
    (session, [subject], flags) => report(session, subject, flags),
    [
      new Option('--format <format>', 'pdf, html, json, csv, sarif, vex, gitlab or junit'),
      new Option('-o, --output <file>', 'the file; - is standard output'),
    ],
  );
  add('assets', 'List assets', (session, _words, flags) => assets(session, flags), [
    new Option('-q, --query <text>', 'with this text'),
    new Option('--label <label>', 'with this label'),
    limit,
  ]);
  add(
    'observe <asset>',
    'Look at what an asset shows',
    (session, [id = ''], flags) => observe(session, idOf(id), flags),
    [wait],
  );
  add('events', 'List events', (session, _words, flags) => events(session, flags), [limit]);
  add('feed', 'Print what has changed', (session, _words, flags) => feed(session, flags), [
    new Option('--follow', 'go on with what changes from now on'),
    new Option('--after <position>', 'from this position').argParser(whole),
    new Option('--type <type>', 'such as finding or job.changed'),
  ]);
  add(
    'verify-evidence <file>',
    'Verify the evidence of a retest, as JSON or as a DSSE envelope, or the envelope of a scan',
    (session, [file = ''], flags: CommonFlags & { keys?: string }) => verify(session, file, flags.keys),
    [new Option('--keys <file>', 'the answer of GET /v1/evidence-keys; then no network is needed')],
  );
  add(
    'verify-audit <files...>',
    'Compare entries of the audit log with its signed heads, without a network',
    (session, files, flags: AuditFlags) => verifyAudit(session, files, flags),
    [
      new Option('--key <id>', 'the id of a key that may sign heads; repeat it for more').argParser(collect),
      new Option('--evidence-keys <file>', 'the answer of GET /v1/evidence-keys, which heads cover as well'),
      new Option('--from <date>', 'the files have entries from this time on'),
      new Option('--until <date>', 'the files have entries before this time'),
    ],
  );
  add(
    'mcp',
    'Serve the findings to an AI agent over standard input and output (MCP)',
    // Loaded here, because it takes longer than the other commands together.
    async (session, _words, flags: CommonFlags & { readOnly?: boolean }) =>
      (await import('./mcp.js')).mcp(session, flags),
    [new Option('--read-only', 'list no tools that change something, whatever the key and the organization allow')],
  );
  add('open [what...]', 'Open a finding, a scan, an asset or keys in the portal', (session, words) =>
    open(session, words),
  );
  program
    .command('completion <shell>')
    .description('Print the completion for bash, zsh or fish')
    .action((shell: string) => void terminal.stdout.write(completionFor(program, shell)));
  return program;
}

const common = (): Option[] => [
  new Option('--organization <id>', 'the organization').argParser(whole),
  new Option('--profile <name>', 'the profile of assay login'),
  new Option('--url <url>', 'the address of the service'),
  new Option('--ca-file <file>', 'certificates of further authorities (PEM)'),
  new Option('--json', 'print a line of JSON for each record'),
  new Option('--no-input', 'never ask'),
  new Option('--no-color', 'no colors'),
];

function idOf(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new Problem(`${text} is not an id.`, 'Ids are whole numbers: assay findings, assay assets');
}

/** What to do about an error. */
function nextOf(error: unknown): string | undefined {
  if (error instanceof Problem) return error.next;
  if (error instanceof UnauthorizedError)
    return 'assay login, or set ASSAY_API_KEY and ASSAY_API_SECRET to a valid key';
  if (error instanceof ForbiddenError) return 'use a key with the scope, and of a user with the role, that this needs';
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return 'check the address, the network, and HTTPS_PROXY and --ca-file, if there are a proxy or own certificates';
  return undefined;
}

export async function run(
  parameters: readonly string[],
  terminal: Terminal,
  exit: (code: number) => void,
): Promise<void> {
  const say = (text: string): void => void terminal.stderr.write(`assay: ${text}\n`);
  try {
    await programFor(terminal, exit).parseAsync(parameters, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return exit(error.exitCode === 0 ? EXIT.success : EXIT.inconclusive);
    say(safeLine(error instanceof Error ? error.message : error));
    if (error instanceof BadRequestError && error.fields.length > 0)
      say(`wrong: ${safeLine(error.fields.map(({ field }) => field).join(', '))}`);
    const next = nextOf(error);
    if (next !== undefined) say(`next: ${safeLine(next)}`);
    if (error instanceof AssayError && error.requestId !== undefined && (error.status ?? 0) >= 500)
      say(`the id of the request is ${safeLine(error.requestId)}`);
    exit(error instanceof Problem ? error.code : EXIT.inconclusive);
  }
}
