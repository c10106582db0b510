export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** The same for all versions of Node, or for 20 and 24: Node 24 needs less time for contexts, and more memory. */
type Goals = Goal | { readonly node20: Goal; readonly node24: Goal };

/** What `npm run bench -- --check` requires. Reads are relative to the raw server. */
const GOALS = {
  'one finding': { node20: { atLeast: 0.6 }, node24: { atLeast: 0.7 } },
  'one finding, not changed': { atLeast: 0.9 },
  'p99 of a read': { atMost: 1.5 },
  'page of 50 findings': { node20: { atLeast: 0.7 }, node24: { atLeast: 0.8 } },
  'page of 50 assets': { atLeast: 0.75 },
  'page of 50 jobs': { atLeast: 0.75 },
  'memory after the reads': { node20: { atMost: 210 }, node24: { atMost: 270 } },
  'status changes with audit entries': { atLeast: 0.9 },
  'status changes with the feed': { atLeast: 0.95 },
  'page 1,000': { atMost: 3 },
  'rows of an import': { atLeast: 2_000 },
  'a search': { atMost: 100 },
  'CPU time of the findings page of the portal': { atMost: 12 },
} as const satisfies Record<string, Goals>;

const RUNTIME = Number(process.versions.node.split('.')[0]) >= 24 ? 'node24' : 'node20';

export function goalOf(measure: keyof typeof GOALS): Goal {
  const goals: Goals = GOALS[measure];
  return 'node20' in goals ? goals[RUNTIME] : goals;
}
