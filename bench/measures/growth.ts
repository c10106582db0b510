import { largestEventRequests } from '../requests';
import { type Bench, withServers } from '../bench';
import { generateLoad } from '../load-generator';
import { type Figure, median } from '../table';

const factor = 10;

/** Page 1 of a data set against page 1 of one a tenth of its size, each with a service of its own, in turns. */
export async function growth({ dataSet, options, database, say }: Bench): Promise<Figure[]> {
  const small = await database.dataSet(dataSet.shape.findings / factor, say);
  return withServers(['api'], { DATABASE_URL: small.appUrl }, (few) =>
    withServers(['api'], { DATABASE_URL: dataSet.appUrl }, async (many) => {
      const p50 = async (url: string, set: typeof dataSet): Promise<number> => {
        const requests = largestEventRequests(set, 2, 1);
        return (await generateLoad({ url, requests: requests, seconds: options.seconds, expectedStatus: 200 })).p50;
      };
      await p50(few.url, small);
      await p50(many.url, dataSet);
      const ratios: number[] = [];
      for (let turn = 0; turn < options.rounds; turn++) {
        const before = await p50(few.url, small);
        ratios.push((await p50(many.url, dataSet)) / before);
      }
      const sizes = [dataSet, small].map(({ shape }) => shape.findings.toLocaleString('en'));
      return [
        {
          measure: 'growth',
          what: `page 1 with ${sizes[0]} findings, times ${sizes[1]}`,
          value: median(ratios),
          unit: '',
          goal: { atMost: 1.5 },
        },
      ];
    }),
  );
}
