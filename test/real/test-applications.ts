import type { RealApplication } from './applications';
import { AssayInstallation, type JobResult } from './assay-installation';
import { CountingProxy, freePort } from './counting-proxy';

export interface ApplicationResult extends JobResult {
  readonly name: string;
  readonly requests: number;
  readonly found: readonly string[];
  readonly wrong: readonly string[];
  /** True, and not found. */
  readonly unseen: readonly string[];
}

interface Running {
  readonly application: RealApplication;
  readonly proxy: CountingProxy;
  readonly url: string;
  stop(): Promise<void>;
}

async function started(application: RealApplication): Promise<Running> {
  const port = await freePort();
  const proxy = await CountingProxy.before(port);
  const url = `http://127.0.0.1:${proxy.port}/`;
  const stop = await application.start({ port, url });
  proxy.requests = 0;
  return {
    application,
    proxy,
    url,
    stop: async () => {
      proxy.stop();
      await stop();
    },
  };
}

const judged = ({ application: { name, truth }, proxy }: Running, job: JobResult): ApplicationResult => ({
  ...job,
  name,
  requests: proxy.requests,
  found: job.findings.filter((finding) => truth.includes(finding)),
  wrong: job.findings.filter((finding) => !truth.includes(finding)),
  unseen: truth.filter((finding) => !job.findings.includes(finding)),
});

/** Runs a job on each application. `dist` is the folder of the compiled program. */
export async function testApplications(
  applications: readonly RealApplication[],
  dist: string,
  settings: Record<string, string> = {},
): Promise<ApplicationResult[]> {
  const running: Running[] = [];
  try {
    for (const application of applications) running.push(await started(application));
    const assay = await AssayInstallation.start(
      dist,
      running.map(({ url }) => url),
      settings,
    );
    try {
      const results: ApplicationResult[] = [];
      // They share an address, and so the limit of requests a second.
      for (const one of running) results.push(judged(one, await assay.runJob(one.url)));
      return results;
    } finally {
      await assay.stop();
    }
  } finally {
    for (const { stop } of running) await stop();
  }
}
