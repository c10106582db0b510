import { type Bench, withServers } from '../bench';
import { findingRequests, pageRequests } from '../requests';
import { type BenchRequest, generateLoad } from '../load-generator';
import { type Figure, median } from '../table';
import { statusRequests } from './writes';

const minutes = 10;
const sliceSeconds = 20;

/** Memory growth of the API in ten minutes of simultaneous reads and writes. */
export async function memory({ dataSet, options, log }: Bench): Promise<Figure[]> {
  return withServers(['api'], { DATABASE_URL: dataSet.appUrl }, async (api) => {
    const shared = { url: api.url, seconds: sliceSeconds, expectedStatus: 200 };
    const half = options.connections / 2;
    const loads: BenchRequest[][][] = [
      await findingRequests(dataSet, half),
      pageRequests(dataSet, half, 50),
      await statusRequests(dataSet, 1),
    ];
    const samples: number[] = [];
    const slices = (minutes * 60) / sliceSeconds;
    for (let slice = 1; slice <= slices; slice++) {
      await Promise.all(loads.map((requests) => generateLoad({ ...shared, requests })));
      samples.push(api.memoryMb);
      log(`${slice * sliceSeconds} s: ${api.memoryMb.toFixed(0)} MB`);
    }
    const [early, late] = [samples.slice(0, slices / 2), samples.slice(slices / 2)];
    const figure = (what: string, value: number, unit: string, atMost?: number): Figure => ({
      measure: `${minutes} minutes of load`,
      what,
      value,
      unit,
      ...(atMost === undefined ? {} : { goal: { atMost } }),
    });
    return [
      figure('maximum memory of the API', Math.max(...samples), 'MB', 300),
      figure('second half relative to the first', median(late) / median(early), '', 1.1),
    ];
  });
}
