type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** Goals of the reads: relative to the raw server, and for the memory in MB. Node 24 needs less time for contexts, and more memory. */
const GOALS = {
  'one finding': { node20: { atLeast: 0.6 }, node24: { atLeast: 0.7 } },
  'page of 50 findings': { node20: { atLeast: 0.7 }, node24: { atLeast: 0.8 } },
  'memory after the reads': { node20: { atMost: 180 }, node24: { atMost: 260 } },
} as const satisfies Record<string, Record<'node20' | 'node24', Goal>>;

const RUNTIME = Number(process.versions.node.split('.')[0]) >= 24 ? 'node24' : 'node20';

export const goalOf = (measure: keyof typeof GOALS): Goal => GOALS[measure][RUNTIME];
