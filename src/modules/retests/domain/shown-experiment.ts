import type { Baseline, ExperimentRecord, Target } from '../../../engine';
import { formatUrlHost } from '../../../kernel/web-url';
import { curlCommand } from './curl-command';

/** The experiment that showed a weakness, as readers see it. */
export interface ShownExperiment extends Pick<ExperimentRecord, 'variant' | 'certainty' | 'rows'> {
  readonly kind: string;
  readonly name: string;
  /** A line for a shell that repeats the decisive request; null if it cannot be sent again as it was. */
  readonly curl: string | null;
}

/** Null where none showed it. */
export function shownExperiment(baseline: Baseline | null, target: Target | undefined): ShownExperiment | null {
  if (baseline?.on !== 'web' || baseline.experiment === undefined || target === undefined) return null;
  const { experiment, account } = baseline;
  const { point, variant, certainty, rows, decisive } = experiment;
  const { scheme, host, port } = target;
  const { origin } = new URL(`${scheme}://${formatUrlHost(host)}:${port}/`);
  const curl = decisive === null ? null : curlCommand(origin, decisive, point, account !== undefined);
  return { kind: point.kind, name: point.name, variant, certainty, rows, curl };
}
