import { loadConfig } from '../../../platform/config/load-config';
import { TxtResolver } from './txt-resolver';

const resolverWith = (DNS_SERVERS: string): TxtResolver =>
  new TxtResolver(loadConfig({ DATABASE_URL: 'postgres://localhost/assay', DNS_SERVERS }));

describe('TxtResolver', () => {
  it('reports an unreachable name server', async () => {
    const answers = await resolverWith('127.0.0.1:1').resolve(['example.com']);
    expect(answers).toEqual([{ name: 'example.com', records: 'unreachable' }]);
  });

  it('treats a name that is too long as a name without records', async () => {
    const name = `${'a.'.repeat(127)}com`;
    expect(await resolverWith('127.0.0.1:1').resolve([name])).toEqual([{ name, records: 'no_record' }]);
  });
});
