/** The organization that the targets of `--target` were added to. */
export interface TargetsOwner {
  readonly id: number;
  readonly name: string;
}

interface TargetFacts {
  readonly urls: readonly string[];
  /** The URLs at which no application listens now. */
  readonly notListening: ReadonlySet<string>;
  readonly owner: TargetsOwner;
  /** A member of the organization; undefined if its credentials are not known. */
  readonly user?: { readonly api_key: string; readonly api_secret: string };
  readonly baseUrl: string;
}

/** What to paste to test the applications of `--target`: one job for each, its findings, and whether a pipeline may continue. */
export function targetCommands({ urls, notListening, owner, user, baseUrl }: TargetFacts): string {
  const key = user === undefined ? 'API_KEY:API_SECRET' : `${user.api_key}:${user.api_secret}`;
  const lines = [
    `Test your own application (an asset of ${owner.name}, organization ${owner.id}) with these commands:`,
    '',
    ...(user === undefined ? howToCreateKey(owner.id) : []),
    `  ASSAY=${baseUrl}/v1 KEY='${key}'`,
    ...urls.flatMap((url) => ['', ...commandsOf(url)]),
    ...urls.flatMap((url) => (notListening.has(url) ? ['', notListeningNote(url)] : [])),
  ];
  return lines.join('\n');
}

const notListeningNote = (url: string): string =>
  `Nothing listens at ${url} now. Start your application before you launch the job.`;

const howToCreateKey = (organization: number): string[] => [
  `  npm run cli -- create-user you@example.com --organization ${organization} --role member`,
  `  npm run cli -- create-key you@example.com --organization ${organization}`,
  '',
  '  # Replace API_KEY and API_SECRET by the output of the last command.',
];

/** An error of the launch is shown and leaves JOB empty. The loop then ends with the error of the status. */
const commandsOf = (url: string): string[] => [
  `  LAUNCHED=$(curl -s -u "$KEY" -H 'Content-Type: application/json' -d '{"url": "${url}"}' "$ASSAY/jobs/launch"); echo "$LAUNCHED"`,
  `  JOB=$(echo "$LAUNCHED" | sed -n 's/.*"uuid":"\\([^"]*\\)".*/\\1/p')`,
  `  until curl -s -u "$KEY" "$ASSAY/jobs/$JOB/status" | grep -E 'FINISHED|ERROR|CANCELED|"description"'; do sleep 1; done`,
  `  curl -s -u "$KEY" "$ASSAY/jobs/$JOB" | node -p 'JSON.stringify(JSON.parse(fs.readFileSync(0)), null, 2)'`,
  `  curl -s -u "$KEY" "$ASSAY/jobs/$JOB/success?severity=high"; echo`,
];
