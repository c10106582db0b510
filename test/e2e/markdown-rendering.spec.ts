import { HOSTILE_MARKDOWN } from '../../src/kernel/testing/hostile-markdown';
import { useApi } from '../support/api';
import { Factories, type Person, unique } from '../support/factories';

const api = useApi();
const make = new Factories(api);

interface Recorder {
  readonly member: Person;
  readonly path: string;
}

async function recorder(): Promise<Recorder> {
  const tenant = await make.organization();
  const { slug } = await make.event(tenant.id);
  return { member: await tenant.as('member'), path: `/v1/events/${slug}/findings/` };
}

const record = ({ member, path }: Recorder, md: string) =>
  member.client.post(path, { title: unique('Finding'), asset_value: 'example.com', severity: 'low', md });

/** The longest takes some tenths of a second to render, and is within all limits. */
const textWithItems = (count: number): string => '* a\n'.repeat(count);

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

describe('a Markdown text that is expensive to render', () => {
  it.each(Object.entries(HOSTILE_MARKDOWN))('is rendered or refused within limits: %s', async (_name, text) => {
    const one = await recorder();
    const before = cpuMs();
    const answer = await record(one, text(65_536));
    expect([201, 400]).toContain(answer.status);
    if (answer.status === 400) expect(answer.body.description).toMatch(/^md /);
    // CPU time with the request and the test itself. Without the limits it would be 10 to 60 seconds.
    expect(cpuMs() - before).toBeLessThan(8_000);
  });
});

describe('while one tenant renders many long texts', () => {
  it('another tenant and /healthz are answered before them', async () => {
    const [flooding, other] = [await recorder(), await recorder()];
    let ended = 0;
    const flood = Array.from({ length: 10 }, () => record(flooding, textWithItems(16_000)).finally(() => ended++));
    for (let turn = 0; turn < 5; turn++) {
      expect((await record(other, `A **short** text, number ${turn}.`)).status).toBe(201);
      expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
    }
    expect(ended).toBeLessThan(5);
    const answers = await Promise.all(flood);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  });

  it('only its own texts beyond the queue limit are refused with 429', async () => {
    const [flooding, other] = [await recorder(), await recorder()];
    const flood = Array.from({ length: 40 }, () => record(flooding, textWithItems(4_000)));
    expect((await record(other, 'A **short** text.')).status).toBe(201);
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 429);
    // One text is rendered while twenty wait.
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(21);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect(headers.get('retry-after')).toBe('1');
      expect(body.description).toContain('Try again in a second');
    }
  });
});
