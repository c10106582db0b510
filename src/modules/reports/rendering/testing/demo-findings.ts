import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { finding, move, probe, retest } from './snapshot-of';

const request = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: shop.nordwind.example\r\nUser-Agent: assay/1\r\nAccept: */*\r\n\r\n`;

const response = (status: string, body: string): string =>
  `HTTP/1.1 ${status}\r\nServer: nginx/1.24.0\r\nContent-Type: text/html; charset=utf-8\r\nSet-Cookie: session=[redacted]; Path=/; HttpOnly\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Twelve realistic findings with every severity and most statuses, most urgent first. */
export function demoFindings(): SnapshotFinding[] {
  return [
    finding(101, {
      title: 'Remote code execution in the file upload',
      md: `The upload at \`/media\` takes **any** file type and stores it below the web root, where the server runs it. A file named \`x.phtml\` becomes a shell for anyone who knows its address; no account is needed.

### Steps

1. Open the profile page without signing in.
2. Upload a file with the extension \`.phtml\`:

\`\`\`http
POST /media HTTP/1.1
Host: shop.nordwind.example
Content-Type: multipart/form-data; boundary=x

--x
Content-Disposition: form-data; name="file"; filename="x.phtml"

<?= 7 * 191 ?>
--x--
\`\`\`

3. Ask for \`/media/x.phtml\`: the answer is \`1337\`.

### Remedy

- Allow images alone, and recognise them by content, not by name.
- Store what is uploaded outside of the web root, under a name of your own.
- Serve it from another origin. See [the cheat sheet](https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html).`,
      severity: 'cosmic',
      priority: 1,
      score: 10,
      cvss_vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H',
      cve: 'CVE-2026-12345',
      product: { purl: 'pkg:npm/%40nordwind/shop@4.2.0', cpe: null },
      location: 'https://shop.nordwind.example/media',
      times_seen: 3,
      history: [
        move(5, null, 'open'),
        move(26, 'open', 'accepted', 'Jonas Weber', 'Reproduced on the staging system. The upload is off since noon.'),
        move(50, 'accepted', 'in_progress', 'Jonas Weber'),
      ],
    }),
    finding(102, {
      title: 'The repository of the shop can be downloaded',
      md: `The folder \`/.git\` is served. With it the whole source can be restored, with its history:

> The first commit holds the password of the database, which was changed only in a later one.

| Path | Status | What it gives |
|---|:-:|---|
| \`/.git/HEAD\` | 200 | the branch |
| \`/.git/config\` | 200 | the address of the origin |
| \`/.git/index\` | 200 | the list of all files |

Refuse every path that begins with a dot, and change each secret that was ever committed.`,
      severity: 'critical',
      priority: 1,
      score: 9.1,
      status: 5,
      check: 'exposed-git',
      cwe: 527,
      cwe_name: 'Exposure of Version-Control Repository to an Unauthorized Control Sphere',
      owasp: [{ id: 'A01:2021', name: 'Broken Access Control', url: 'https://owasp.org/Top10/' }],
      location: 'https://shop.nordwind.example/.git/HEAD',
      times_seen: 2,
      history: [
        move(4, null, 'open', 'Pipeline'),
        move(28, 'open', 'ready_for_retest', 'Jonas Weber', 'A rule for dotfiles is in place.'),
        move(29, 'ready_for_retest', 'accepted', 'Retest'),
        move(52, 'accepted', 'ready_for_retest', 'Jonas Weber', 'Now on the second server too.'),
        move(53, 'ready_for_retest', 'resolved', 'Retest'),
      ],
      retests: [
        retest(28.5, {
          result: 'still_vulnerable',
          reason: 'One of two looks shows the weakness: the servers behind this address do not agree.',
          probes: [
            probe(28.5, 'not_vulnerable', 'The file is refused with 404.', [
              [request('/.git/HEAD'), response('404 Not Found', '<h1>Not found</h1>')],
            ]),
            probe(28.6, 'vulnerable', 'The file is served: it begins with "ref: refs/heads/".', [
              [request('/.git/HEAD'), response('200 OK', 'ref: refs/heads/main\n')],
            ]),
          ],
        }),
        retest(52.5, {
          result: 'fixed',
          reason: 'Three looks in a row find nothing, and the control answers as it did before.',
          probes: [
            probe(52.5, 'not_vulnerable', 'The file is refused with 404.', [
              [request('/.git/HEAD'), response('404 Not Found', '<h1>Not found</h1>')],
            ]),
            probe(52.6, 'not_vulnerable', 'The file is refused with 404.', [
              [request('/.git/HEAD'), response('404 Not Found', '<h1>Not found</h1>')],
            ]),
          ],
        }),
      ],
    }),
    finding(103, {
      title: 'SQL injection in the order search',
      md: `A quote in \`q\` ends the statement, and what follows it is run by the database:

\`\`\`
GET /orders?q=%27%20UNION%20SELECT%20table_name,NULL%20FROM%20information_schema.tables--
\`\`\`

The account of the application may read every table, so all orders and addresses are open. **Bind the value as a parameter**, and give the application an account that may read what it needs.`,
      severity: 'high',
      priority: 2,
      score: 8.6,
      cvss_vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
      asset_value: 'api.nordwind.example',
      asset_id: 2,
      status: 3,
      history: [move(30, null, 'open'), move(49, 'open', 'in_progress', 'Aylin Demir')],
    }),
    finding(104, {
      title: 'Any customer reads the invoices of others',
      md: `The number in \`/invoices/4711\` is not held against the account that asks. Counting up gives the invoices of all customers, with name, address and what they bought.\n\nAsk for the owner in the query itself, and answer 404 for what belongs to another customer.`,
      severity: 'high',
      priority: 2,
      score: 7.7,
      status: 4,
      asset_value: 'api.nordwind.example',
      asset_id: 2,
      location:
        'https://api.nordwind.example/v2/customers/invoices/4711/documents/original-with-a-rather-long-name.pdf',
      history: [move(31, null, 'open'), move(120, 'open', 'ready_for_retest', 'Aylin Demir')],
      retests: [
        retest(121, {
          status: 'finished',
          result: 'inconclusive',
          reason: 'The page needs an account, and none was given. What is behind the response 401 is unknown.',
          probes: [probe(121, 'inconclusive', 'The answer is 401 for every path.', [])],
        }),
      ],
    }),
    finding(105, {
      title: 'Passwords are tried without a limit',
      md: `Ten thousand wrong passwords for one account within four minutes were all answered, and the right one after them let us in.\n\n- Slow down failures, for the account *and* for the address.\n- Ask for a second factor.\n- Tell the owner.`,
      severity: 'high',
      priority: 2,
      score: 7.4,
      status: 2,
    }),
    finding(106, {
      title: 'Text of a review runs as script (stored cross-site scripting)',
      md: 'A review with `<img src=x onerror=alert(document.domain)>` runs in the browser of everybody who reads it.\n\nEscape on the way out, and send a `Content-Security-Policy` without `unsafe-inline`.',
      severity: 'medium',
      priority: 3,
      score: 6.1,
      status: 5,
      check: 'reflected-markup',
      location: 'https://shop.nordwind.example/reviews?sort=%3Cb%3E',
      retests: [retest(95, { signed_by: '3f1c9a52d07be684', reason: 'The text comes back escaped, three times.' })],
    }),
    finding(107, {
      title: 'TLS 1.0 is still spoken',
      md: 'The mail server takes TLS 1.0 and 1.1. Allow 1.2 and later.',
      severity: 'medium',
      priority: 3,
      score: 5.3,
      asset_value: 'mail.nordwind.example',
      asset_id: 3,
      in_scope: false,
      check: 'tls-old-version',
      location: 'tcp://mail.nordwind.example:993',
    }),
    finding(108, {
      title: 'No HSTS header',
      md: 'The first visit can be led to plain HTTP. Send `Strict-Transport-Security: max-age=31536000`.',
      severity: 'medium',
      priority: 3,
      score: 4.8,
      status: 6,
      history: [
        move(8, null, 'open', 'Pipeline'),
        move(60, 'open', 'risk_accepted', 'Petra Nordwind', 'Until the new domain is live, in January.'),
      ],
    }),
    finding(109, {
      title: 'The session cookie goes over plain HTTP',
      md: 'The cookie `session` lacks `Secure`.',
      severity: 'low',
      priority: 4,
      score: 3.1,
      status: 5,
    }),
    finding(110, {
      title: 'The server names its version',
      md: 'The header `Server: nginx/1.24.0` says which version runs. Turn it off with `server_tokens off`.',
      severity: 'low',
      priority: 4,
      status: 7,
      score: 2.6,
    }),
    finding(111, {
      title: 'A comment names a host inside of the company',
      md: 'The page `/about` has the comment `<!-- built on build03.corp.nordwind.example -->`.',
      severity: 'info',
      priority: 5,
      status: 9,
    }),
    finding(112, { title: 'The test account of the testers is still there', severity: 'none', priority: 5, status: 5 }),
  ];
}
