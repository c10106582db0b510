import { type LoadResult, type SourceName, VulnerabilityLoader } from '../../modules/vulnerabilities';
import type { Config } from '../../platform/config/load-config';
import { runWithModules } from './run-in-domain';

const CONTENT = { epss: 'EPSS scores', kev: 'known exploited vulnerabilities' } as const satisfies Record<
  SourceName,
  string
>;

/** Loads a public file. A worker then updates the findings. */
export function loadVulnerabilities(
  config: Config,
  name: SourceName,
  file: string,
  allowOlder: boolean | undefined,
): Promise<LoadResult> {
  return runWithModules(config, (app) => app.get(VulnerabilityLoader).load(name, file, { allowOlder, via: 'cli' }));
}

export function loadSentence(name: SourceName, { entries, version, released, isNew }: LoadResult): string {
  const file = `${entries} ${CONTENT[name]} of ${released.toISOString()} (${version})`;
  return isNew
    ? `Loaded ${file}. A worker updates the findings and their priorities.`
    : `${file} are loaded already. Nothing was changed.`;
}
