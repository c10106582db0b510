import type { Probe, ProbeRequest } from '../probe';
import { SeededRandom } from '../testing/seeded-random';
import { Experiment } from './experiment';
import { queryPoint } from './testing/injectable-shop';
import { probeOf } from './testing/simulated-sites';

it('names requests for the value itself in another way than those for payloads, which are numbered by their names', async () => {
  const names: (string | undefined)[] = [];
  const site = probeOf(() => ({ text: 'A page' }), new SeededRandom(1));
  const http = (request: ProbeRequest): ReturnType<Probe['http']> => {
    names.push(request.name);
    return site.http(request);
  };
  const experiment = new Experiment(queryPoint('/list', 'red'), { ...site, http });
  await experiment.original();
  await experiment.send("red'", { expects: 'a payload' });
  await experiment.send('red"', { expects: 'another payload' });
  const [original, payload, another] = names;
  expect(payload).toBe(another);
  expect(original).not.toBe(payload);
});
