/** A finding that a person recorded, with the changes of its status. All hosts and people are examples. */
export interface DemoFinding {
  readonly title: string;
  /** Of the asset with this name below the domain of the organization. */
  readonly assetName: string;
  readonly md: string;
  readonly severity?: string;
  readonly cvssVector?: string;
  readonly requestedScore?: number;
  readonly history?: readonly DemoStatusChange[];
}

export interface DemoStatusChange {
  readonly by: 'owner' | 'admin' | 'member';
  readonly status: 2 | 3 | 4 | 6 | 9;
  readonly comment: string;
  /** Only for an accepted risk. */
  readonly days?: number;
}

const sqlInjection: DemoFinding = {
  title: 'SQL injection in the order search',
  assetName: 'shop',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  requestedScore: 9.8,
  md: `The search for orders puts the parameter \`q\` into an SQL statement as text. A visitor without an account can read every table.

**Location**

\`GET https://shop.northwind.example/orders/search?q=\`, the parameter \`q\`

**Evidence**

A single quote ends the string, and the database answers with a syntax error:

\`\`\`
GET /orders/search?q=%27 HTTP/1.1
Host: shop.northwind.example

HTTP/1.1 500 Internal Server Error
ERROR: unterminated quoted string at or near "' ORDER BY created DESC LIMIT 20"
\`\`\`

The condition \`q=%27 OR 1=1 --\` returns the orders of all customers. Nothing was changed, and no more than twenty rows were read.

**Remediation**

1. Bind the value as a parameter: \`WHERE reference = $1\`. Do the same in the other three searches of this module.
2. Give the database role of the shop only the rights that it needs.
3. Show a general error page, and search the access logs of the last 90 days for quotes in \`q\`.

**References**

- [CWE-89: Improper Neutralization of Special Elements used in an SQL Command](https://cwe.mitre.org/data/definitions/89.html)
- [OWASP SQL Injection Prevention Cheat Sheet](https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html)`,
  history: [
    {
      by: 'admin',
      status: 2,
      comment:
        'Reproduced on the test system. The shop team has a ticket; the search is behind a login until the fix is live.',
    },
  ],
};

const foreignOrders: DemoFinding = {
  title: 'Customers can read the orders of other customers',
  assetName: 'api',
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:N',
  md: `The API checks that a caller is signed in, but not that the order belongs to the caller. Order numbers are consecutive,
so one account is enough to read and cancel the orders of all customers.

**Location**

\`GET\` and \`DELETE https://api.northwind.example/v2/orders/{number}\`

**Evidence**

Signed in as the test customer *tester-a*, with an order of *tester-b*:

\`\`\`
GET /v2/orders/100482 HTTP/1.1
Host: api.northwind.example
Authorization: Bearer <token of tester-a>

HTTP/1.1 200 OK
{"number": 100482, "customer": "tester-b", "address": "1 Example Street", "total": "89.90"}
\`\`\`

**Remediation**

1. Select an order by its number and the caller's customer id, and answer 404 if there is none.
2. Add a test for each route that uses the token of another customer.
3. Use random identifiers in addresses. They are no replacement for the first step.

**References**

- [CWE-639: Authorization Bypass Through User-Controlled Key](https://cwe.mitre.org/data/definitions/639.html)
- [OWASP API1:2023 Broken Object Level Authorization](https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/)`,
  history: [
    { by: 'admin', status: 2, comment: 'Confirmed with two test accounts. Highest priority for the API team.' },
    {
      by: 'member',
      status: 3,
      comment: 'The check of the customer id is in review. The release is planned for Thursday.',
    },
  ],
};

const publicAdministration: DemoFinding = {
  title: 'The administration of the mail server is public',
  assetName: 'mail',
  severity: 'high',
  md: `The login page of the mail server's administration can be reached from every address, and does not limit failed logins.

**Location**

\`https://mail.contoso.example:8443/admin/\`

**Evidence**

Fifty wrong passwords for a test account within one minute were all answered with 401. The account was not locked.

**Remediation**

Allow the port from the office network only. Require a second factor, and lock an account for a while after ten failed logins.

**References**

- [CWE-307: Improper Restriction of Excessive Authentication Attempts](https://cwe.mitre.org/data/definitions/307.html)`,
  history: [{ by: 'member', status: 3, comment: 'The firewall rule is ordered.' }],
};

const shortPasswords: DemoFinding = {
  title: 'Passwords may have six characters',
  assetName: 'shop',
  severity: 'low',
  md: `The registration accepts passwords of six characters, such as \`123456\`.

**Location**

\`POST https://shop.contoso.example/register\`

**Evidence**

An account with the password \`123456\` was created and removed again.

**Remediation**

Require at least eight characters, and refuse passwords that are in lists of known passwords.

**References**

- [CWE-521: Weak Password Requirements](https://cwe.mitre.org/data/definitions/521.html)`,
};

/** The first finding of each organization is open. The tutorial in the README changes it. */
export const demoFindings = {
  northwind: [sqlInjection, foreignOrders],
  contoso: [publicAdministration, shortPasswords],
} as const satisfies Record<string, readonly DemoFinding[]>;

/** What the team did with the findings of the job on the demo target, by the id of the check. */
export const targetHistories: Readonly<Record<string, readonly DemoStatusChange[]>> = {
  'exposed-env': [
    { by: 'member', status: 2, comment: 'Confirmed: the file contains the key of the application.' },
    { by: 'admin', status: 3, comment: 'The key is being replaced. The next deployment leaves the file out.' },
  ],
  'cors-with-credentials': [
    { by: 'member', status: 2, comment: 'The proxy copies the Origin header of every request.' },
    { by: 'admin', status: 3, comment: 'The proxy gets a list of our own origins.' },
    { by: 'member', status: 4, comment: 'The new configuration of the proxy is live.' },
  ],
  'server-version': [
    { by: 'member', status: 3, comment: 'The version is removed from the Server header with the next update.' },
    { by: 'member', status: 4, comment: 'The update is installed.' },
  ],
  'no-https-redirect': [
    {
      by: 'owner',
      status: 6,
      days: 90,
      comment:
        'The server listens on this machine only, and gets a certificate before it moves. We look at it again then.',
    },
  ],
  'weak-csp': [{ by: 'member', status: 3, comment: 'A policy runs in report-only mode until Friday.' }],
};

/** The only finding with a CVE, on the asset with the package URL of its product: the VEX document of the event states it. */
export const outdatedWebmail = {
  assetValue: 'mail.northwind.example',
  title: 'The webmail has a version with a known vulnerability',
  cve: 'CVE-2025-49113',
  cwe: 502,
  cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H',
  md: `The webmail is Roundcube 1.6.10. In versions before 1.6.11, every user with a mailbox can run code on the server, because
the parameter \`_from\` of an upload reaches the deserialization of PHP objects unchecked (CVE-2025-49113).

**Location**

\`https://mail.northwind.example/\`, the page of the login

**Evidence**

The page names its version. The vulnerability was not exploited:

\`\`\`
GET / HTTP/1.1
Host: mail.northwind.example

HTTP/1.1 200 OK
rcmail.set_env({"task":"login","rcversion":10610, ...
\`\`\`

**Remediation**

Update Roundcube to 1.6.11 or later. Until then, allow the webmail from the network of the office only.

**References**

- [CVE-2025-49113](https://nvd.nist.gov/vuln/detail/CVE-2025-49113)
- [CWE-502: Deserialization of Untrusted Data](https://cwe.mitre.org/data/definitions/502.html)`,
  history: [
    { by: 'admin', status: 2, comment: 'Confirmed with the administrators of the mail server.' },
    { by: 'member', status: 3, comment: 'The update to 1.6.11 is planned for Saturday night.' },
  ],
} as const satisfies Omit<DemoFinding, 'assetName'> & { assetValue: string; cve: string; cwe: number };

/** It was never seen by Assay, so that its retest has nothing to compare with. */
export const reportedDump = {
  check: 'exposed-database-dump',
  title: 'A dump of the database was public, according to a report by e-mail',
  severity: 'high',
  md: `A person who did not want to be named wrote that a dump of the database could be downloaded last week.

**Location**

\`/backup.sql\` on the demo target, according to the e-mail

**Evidence**

Only the text of the e-mail. When the test began, the server answered 404 for this path.

**Remediation**

Write dumps to a place outside the root of the site. If the logs show a download, treat all data in the dump as stolen.

**References**

- [CWE-530: Exposure of Backup File to an Unauthorized Control Sphere](https://cwe.mitre.org/data/definitions/530.html)`,
  history: [
    {
      by: 'admin',
      status: 9,
      comment:
        'The retest is inconclusive, because none of us has seen the file. The access logs of three months show no request for it.',
    },
  ],
} as const satisfies Omit<DemoFinding, 'assetName'> & { check: string };
