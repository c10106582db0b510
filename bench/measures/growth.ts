import { forConnections, pageOfLargestEvent } from '../requests';
import { type Bench, withServers } from '../bench';
import { generateLoad } from '../load-generator';
import { type Figure, median } from '../table';

const factor = 10;

/** Page 1 of the data set compared with page 1 of one a tenth of its size, in alternating rounds. */
export async function growth({ dataSet, options, database, log }: Bench): Promise<Figure[]> {
  const small = await database.dataSet(dataSet.shape.findings / factor, log);
  return withServers(['api'], { DATABASE_URL: small.appUrl }, (smallApi) =>
    withServers(['api'], { DATABASE_URL: dataSet.appUrl }, async (largeApi) => {
      const p50 = async (url: string, set: typeof dataSet): Promise<number> => {
        const requests = forConnections(2, () => pageOfLargestEvent(set, 1));
        return (await generateLoad({ url, requests, seconds: options.seconds, expectedStatus: 200 })).p50;
      };
      await p50(smallApi.url, small);
      await p50(largeApi.url, dataSet);
      const ratios: number[] = [];
      for (let turn = 0; turn < options.rounds; turn++) {
        const before = await p50(smallApi.url, small);
        ratios.push((await p50(largeApi.url, dataSet)) / before);
      }
      const sizes = [dataSet, small].map(({ shape }) => shape.findings.toLocaleString('en'));
      return [
        {
          measure: 'growth',
          what: `page 1 with ${sizes[0]} findings relative to ${sizes[1]}`,
          value: median(ratios),
          unit: '',
          goal: { atMost: 1.5 },
        },
      ];
    }),
  );
}
