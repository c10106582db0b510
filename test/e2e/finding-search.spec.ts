import { checkFormerlyTitled } from '../../src/engine/titles';
import { FindingWordsRepository } from '../../src/modules/findings/lists/data/finding-words.repository';
import { idIn, tokenQuery, termsIn } from '../../src/modules/findings/lists/data/search-terms';
import { FindingSearches } from '../../src/modules/findings/lists/finding-searches';
import { sql } from '../../src/platform/database/sql';
import { useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Tenant, unique } from '../support/factories';

const api = useApi();
const make = new Factories(api);

/** A finding with every kind of text that a search compares. */
const DRAFT = {
  title: "O'Reilly's 100%_sure \\ back\\slash 'quote' “\u{1F512}” ÜBER 漏洞が見つかりました",
  asset: { id: null, value: 'https://shop.example.com/.env', tier: null },
  md: 'The **Roundcube** sign-in needs no pass_word: see https://docs.example.org/a?b=c.\n\nثغرة في الخادم · サーバーの設定を確認してください 🔥fire',
  cve: 'CVE-2025-49113',
  otherCves: ['CVE-2024-0001'],
  cwe: 89,
  checkId: 'exposed-env',
} as const;

/** Searches that find it, both by its tokens and by its texts. */
const FOUND =
  `o'reilly|'quote'|'|100%_|%_s|_|\\|back\\slash|“|🔒|über|漏洞|見つ|洞|shop.exam|example.com/.env|.e|HTTPS://SHOP|b|1
roundcube|ROUND|sign-in|pass_wo|docs.example.org/a|https://docs.example.org/a?b=c|ثغرة|الخاد|確認して|サーバー|🔥|🔥fi
cve-2025-49113|CVE-2025|49113|2024-0001|CWE-89|exposed-env|env|team-blue|blue|roundcube shop|cwe-89 Roundcube ÜBER|🔥fire b
adalove|Lovelace ada|ada.`.split(/[|\n]/);

/** Searches that do not find it. No word begins with `oundcube` or `ovelace`, and the host of a member's address is not searched. */
const NOT_FOUND =
  `oundcube|ovelace|mail.test|cwe-8 zz|roundcube straw|100_|%25|漏漏|zz|~|=|@|#|:*|q:*|!q|& (|🔓|example.net|straw sign-in
' OR 1=1 --|\\\\|')('q|${'x'.repeat(200)}`.split(/[|\n]/);

async function idsFor(client: Client, { id }: Pick<Tenant, 'id'>, q: string, others = ''): Promise<number[]> {
  const answer = await client.get(`/v1/organizations/${id}/findings/?q=${encodeURIComponent(q)}${others}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return idsIn(answer);
}

const idsIn = ({ body }: Answer): number[] => body.findings.map(({ id }: { id: number }) => id);

/** The path of the page that a page links to; empty without a link. */
function linked({ headers }: Answer, rel: 'next' | 'prev'): string {
  const [, link = ''] = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get('link') ?? '') ?? [];
  return link === '' ? '' : link.replace(/^https?:\/\/[^/]*/, '');
}

async function withFinding() {
  const [tenant, foreign] = [await make.organization(), await make.organization()];
  const member = await tenant.as('member');
  const { client, userId } = member;
  const name = `ada.${unique('x').replace(/\W/g, '')}@mail.test`;
  await query(`UPDATE users SET name = 'Ada Adalovelace Lovelace', email = $2, folded_email = $2 WHERE id = $1`, [
    userId,
    name,
  ]);
  const { id } = await make.finding(tenant.id, DRAFT);
  const change = (body: object) => client.patch(`/v1/findings/${id}/`, body);
  expect((await change({ labels: ['team-blue'], assignee_id: userId })).status).toBe(200);
  await make.finding(tenant.id, { title: 'Straw' });
  await make.finding(foreign.id, DRAFT);
  return { tenant, client, userId, id, change };
}

/** The findings that the index of tokens gives, as in a list with too many findings to compare each. */
async function idsByTokens({ id: organizationId }: Tenant, text: string): Promise<readonly number[] | null> {
  const texts = api.app.get(FindingWordsRepository);
  const searches = api.app.get(FindingSearches);
  const folded = await texts.fold(sql`SELECT ${organizationId}::int`, termsIn(text));
  const terms = await searches['termsOf'](organizationId, folded ?? fail(), checkFormerlyTitled(text) ?? '');
  const { ids, isWhole } = await texts.findIds(organizationId, terms, 5_000);
  return isWhole ? ids : null;
}

const fail = (): never => {
  throw new Error('The search has no terms.');
};

describe('a search of findings', () => {
  it('finds each kind of text, by tokens and by comparison, and nothing in another organization', async () => {
    const { tenant, client, id } = await withFinding();
    const compared: [string, number[]][] = [];
    const byTokens: [string, unknown][] = [];
    for (const text of [...FOUND, ...NOT_FOUND]) {
      compared.push([text, await idsFor(client, tenant, text)]);
      // A single letter is never looked up.
      byTokens.push([text, (await idsByTokens(tenant, text)) ?? (await idsFor(client, tenant, text))]);
    }
    const expected = [...FOUND.map((text) => [text, [id]]), ...NOT_FOUND.map((text) => [text, []])];
    expect(compared).toEqual(expected);
    expect(byTokens).toEqual(expected);
  }, 60_000);

  it('finds a finding by its id, with others that have the number in their texts', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const { id } = await make.finding(tenant.id, { title: 'First' });
    const other = await make.finding(tenant.id, { title: `See #${id}` });
    expect(await idsFor(client, tenant, `#${id}`)).toEqual([other.id, id]);
    expect(await idsFor(client, tenant, `${id} first`)).toEqual([id]);
    expect(await idsByTokens(tenant, `#${id} first`)).toEqual([id]);
    const foreign = await make.organization();
    expect(await idsFor((await foreign.as('owner')).client, foreign, `#${id}`)).toEqual([]);
  });

  it('finds a finding by the earlier title of its check, with findings to which people gave that title', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    const checked = await make.finding(tenant.id, {
      title: 'SQL injection in the parameter q',
      checkId: 'sql-injection',
    });
    const own = await make.finding(tenant.id, { title: 'The database executes what is in a parameter' });
    for (const text of ['database executes', 'The database executes what is in a parameter']) {
      expect(await idsFor(client, tenant, text)).toEqual([own.id, checked.id]);
      expect(new Set(await idsByTokens(tenant, text))).toEqual(new Set([own.id, checked.id]));
    }
    // One word, words that are in no title, and words that are in the titles of several checks.
    for (const text of ['executes', 'database repairs'])
      expect(await idsFor(client, tenant, text)).not.toContain(checked.id);
  });

  it.each([
    ['a NUL', 'a%00b', 400],
    ['10,000 characters', 'x'.repeat(10_000), 400],
    ['an ideographic space', '%E3%80%80', 200],
    ['100 words', Array.from({ length: 100 }, (_, word) => word % 10).join('+'), 200],
  ])('answers %s with %s', async (_what, text, status) => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    expect((await client.get(`/v1/organizations/${tenant.id}/findings/?q=${text}`)).status).toBe(status);
  });

  it('follows changed labels, assignees and texts, whatever changes them, but not the status', async () => {
    const { tenant, client, userId, id, change } = await withFinding();
    const texts = (): Promise<object[]> =>
      query('SELECT xmin, searched FROM finding_words WHERE finding_id = $1', [id]);
    const before = await texts();
    expect((await client.post(`/v1/findings/${id}/status`, { status: 3 })).status).toBe(200);
    expect(await texts()).toEqual(before);

    expect((await change({ labels: ['green'] })).status).toBe(200);
    expect(await idsFor(client, tenant, 'green')).toEqual([id]);
    expect(await idsFor(client, tenant, 'blue')).toEqual([]);
    expect((await change({ assignee_id: null })).status).toBe(200);
    expect(await idsFor(client, tenant, 'lovelace')).toEqual([]);
    expect(await idsByTokens(tenant, 'lovelace')).toEqual([]);

    await query(`UPDATE findings SET title = 'Turquoise', md = 'Magenta', cwe = NULL WHERE id = $1`, [id]);
    expect(await idsByTokens(tenant, 'turquoise magenta')).toEqual([id]);
    expect(await idsByTokens(tenant, 'cwe-89')).toEqual([]);

    expect((await change({ assignee_id: userId })).status).toBe(200);
    expect(await idsFor(client, tenant, 'lovelace')).toEqual([id]);
    await query('DELETE FROM memberships WHERE user_id = $1', [userId]);
    await query('DELETE FROM findings WHERE id = $1', [id]);
    expect(await query('SELECT FROM finding_words WHERE finding_id = $1', [id])).toEqual([]);
  });

  it('has the same pages in every order, forwards and backwards, with filters', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    for (let number = 0; number < 9; number++)
      await make.finding(tenant.id, { title: `Needle ${number}`, severity: number % 2 === 0 ? 'high' : 'low' });
    await make.finding(tenant.id, { title: 'Straw', severity: 'high' });
    const path = `/v1/organizations/${tenant.id}/findings/`;
    for (const sort of ['', '&sort=severity', '&sort=priority', '&sort=due_date']) {
      const whole = await idsFor(client, tenant, 'needle', `&severity=high${sort}`);
      expect(whole).toHaveLength(5);
      const read: number[] = [];
      let answer = await client.get(`${path}?q=needle&severity=high&per_page=2&count=true${sort}`);
      expect(answer.headers.get('x-total-count')).toBe('5');
      for (read.push(...idsIn(answer)); linked(answer, 'next') !== ''; read.push(...idsIn(answer)))
        answer = await client.get(linked(answer, 'next'));
      expect(read).toEqual(whole);
      expect(idsIn(await client.get(linked(answer, 'prev')))).toEqual(whole.slice(2, 4));
      expect(await idsFor(client, tenant, 'needle', `&severity=high${sort}&per_page=2&page=2`)).toEqual(
        whole.slice(2, 4),
      );
    }
  });
});

describe('a search in many findings', () => {
  /** More than the sample and the limit of the index contain. Every second finding has the common word. */
  const MANY = 12_000;

  it('finds common and rare words in every order, and counts them when it is asked to', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('viewer');
    await query(
      `INSERT INTO findings (organization_id, asset_value, title, severity, priority, fingerprint)
       SELECT $1, 'many.example.com', CASE n % 2 WHEN 0 THEN 'Common ' ELSE 'Other ' END || CASE WHEN n = 1 THEN 'needle' WHEN n % 10 = 0 THEN 'tenth' ELSE '' END,
         CASE WHEN n < 6000 THEN 2 ELSE 4 END, 1 + n % 5, sha256(('many' || n)::bytea) FROM generate_series(1, $2::int) n`,
      [tenant.id, MANY],
    );
    const rows = await query<{ id: number; severity: number; common: boolean }>(
      `SELECT id, severity, title LIKE 'Common%' AS common FROM findings WHERE organization_id = $1 ORDER BY id DESC`,
      [tenant.id],
    );
    const common = rows.filter((row) => row.common);
    const ids = (of: typeof rows): number[] => of.slice(0, 20).map(({ id }) => id);
    expect(await idsFor(client, tenant, 'common', '&per_page=20')).toEqual(ids(common));
    const severest = [...common].sort((one, other) => other.severity - one.severity || other.id - one.id);
    expect(await idsFor(client, tenant, 'common', '&per_page=20&sort=severity')).toEqual(ids(severest));
    expect(await idsFor(client, tenant, 'common', '&per_page=20&page=250')).toEqual(ids(common.slice(4_980)));
    const late = await client.get(
      `/v1/organizations/${tenant.id}/findings/?q=common&per_page=20&sort=severity&page=250`,
    );
    const after = linked(late, 'next');
    expect(idsIn(await client.get(after))).toEqual(ids(severest.slice(5_000)));
    const before = linked(await client.get(after), 'prev');
    expect(idsIn(await client.get(before))).toEqual(ids(severest.slice(4_980)));
    expect(await idsFor(client, tenant, 'needle')).toEqual([rows.at(-1)?.id]);
    expect(await idsFor(client, tenant, 'needle', '&sort=priority&severity=high')).toEqual([]);
    const total = async (q: string): Promise<string | null> => {
      const answer = await client.get(`/v1/organizations/${tenant.id}/findings/?q=${q}&count=true&per_page=1`);
      expect(answer).toMatchObject({ status: 200 });
      return answer.headers.get('x-total-count');
    };
    expect([await total('common'), await total('needle'), await total('e')]).toEqual(['1000+', '1', '1000+']);
    expect([await total('tenth'), await total('tenth&severity=high')]).toEqual(['1000+', '601']);
    // Texts of merged findings are not counted.
    const merge = (into: number | null, count: number) =>
      query('UPDATE findings SET merged_into = $1 WHERE id = ANY($2)', [
        into,
        common.slice(-count).map(({ id }) => id),
      ]);
    for (const [left, expected] of [
      [1_001, '1000+'],
      [1_000, '1000'],
    ] as const) {
      await merge(rows[0]?.id ?? 0, common.length - left);
      expect([left, await total('common')]).toEqual([left, expected]);
    }
    await merge(null, common.length);
    // Exact up to the limit, also if most of what matches first does not pass the filter.
    const others = rows.filter((row) => !row.common);
    for (const [matches, expected] of [
      [1_000, '1000'],
      [1_001, '1000+'],
    ] as const) {
      const passing = [...others, ...common.slice(0, matches)].map(({ id }) => id);
      await query('UPDATE findings SET status = CASE WHEN id = ANY($2) THEN 3 ELSE 1 END WHERE organization_id = $1', [
        tenant.id,
        passing,
      ]);
      expect([matches, await total('common&status=3'), await total('common&status=3&page=3')]).toEqual([
        matches,
        expected,
        expected,
      ]);
    }
  }, 60_000);
});

describe('the findings from before the upgrade', () => {
  it('are found before they have texts, and get them in batches, the newest first', async () => {
    const { tenant, client, id } = await withFinding();
    const texts = api.app.get(FindingWordsRepository);
    const before = await query('SELECT * FROM finding_words WHERE finding_id = $1', [id]);
    await query('DELETE FROM finding_words WHERE organization_id = $1', [tenant.id]);
    await query('INSERT INTO finding_word_filling (next_id) SELECT max(id) FROM findings');
    try {
      for (const text of ['roundcube', 'CVE-2024-0001', 'blue', 'lovelace', `#${id}`, '確認', 'oreilly shop'])
        expect([text, await idsFor(client, tenant, text)]).toEqual([text, text === 'oreilly shop' ? [] : [id]]);
      expect(await texts.fill(1)).toBe(true);
      expect(await query('SELECT FROM finding_words WHERE finding_id = $1', [id])).toEqual([]);
      await api.app.get(FindingSearches).fill();
      expect(await query('SELECT * FROM finding_words WHERE finding_id = $1', [id])).toEqual(before);
      expect(await query('SELECT FROM finding_word_filling')).toEqual([]);
      expect(await texts.fill(1)).toBe(false);
    } finally {
      await query('DELETE FROM finding_word_filling');
    }
  });
});

describe('the tokens of a finding', () => {
  it.each([
    ['no texts', '', ''],
    ['a short title', 'ab', ' '],
    ['one word', 'x', ' word'],
    ['characters of several bytes', 'äö€𝒳y', ' ü äöü 漏洞'],
    ['words of 24, 25 and 60 characters', 'abc', ` a ${'z'.repeat(24)} ${'ü'.repeat(25)} b ${'q'.repeat(60)} c`],
    ['words twice, and signs of patterns', String.raw`a\1`, String.raw` word word \1 & '`],
  ])('are its id, its assignee, parts of three characters and beginnings of words: %s', async (_, searched, words) => {
    const [row] = await query<{ tokens: string[] }>(
      'SELECT tsvector_to_array(finding_tokens(7, 9, NULL, $1, $2)) AS tokens',
      [searched, words],
    );
    const characters = Array.from(searched);
    const expected = [
      '7#9',
      '7@0',
      ...characters.map((_, at) => `7=${characters.slice(at, at + 3).join('')}`),
      ...words.split(' ').flatMap((word) => (word === '' ? [] : [`7~${Array.from(word).slice(0, 24).join('')}`])),
    ];
    expect(row?.tokens.toSorted()).toEqual([...new Set(expected)].toSorted());
  });
});

describe('the terms of a search', () => {
  const term = { text: 'a', phrase: '', id: 0, memberIds: [], formerlyOf: '' };

  it('are quoted in the query for tokens, which omits single letters', () => {
    expect(tokenQuery(7, [{ ...term, text: "o'\\b" }])).toBe(
      String.raw`((7=o\'\\' & '7=\'\\b'))`.replace('((7', "(('7"),
    );
    expect(tokenQuery(7, [{ ...term, text: '9', phrase: ' 9', id: 9 }])).toBeNull();
    expect(tokenQuery(7, [term, { ...term, text: 'ab.c', phrase: ' ab c', memberIds: [5] }])).toBe(
      "(('7=ab.' & '7=b.c') | ('7~ab' & '7~c':*) | '7@5')",
    );
  });

  it('may be ids', () => {
    const texts = ['9', '#9', ' #9 ', '2147483647', '2147483648', '09', '0', '-9', '9 8', '', 'x9', '##9'];
    expect(texts.map((text) => idIn(text))).toEqual([
      9,
      9,
      9,
      2147483647,
      ...Array.from({ length: 8 }, () => undefined),
    ]);
  });
});
