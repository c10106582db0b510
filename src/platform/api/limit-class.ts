/** The kinds of requests that are limited separately. */
export const LIMIT_CLASSES = ['read', 'write', 'launch', 'retest', 'import'] as const;
export type LimitClass = (typeof LIMIT_CLASSES)[number];

/** Their names in sentences, settings, options and headers. */
export const LIMIT_NAMES = {
  read: 'reads',
  write: 'writes',
  launch: 'launches',
  retest: 'retests',
  import: 'imports',
} as const satisfies Record<LimitClass, string>;

const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Undefined for operations that are not limited. Paths that no operation has count by their method. */
export function limitClassOf(
  operation: { readonly limit?: LimitClass | 'none'; readonly credentials?: string } | undefined,
  method: string,
): LimitClass | undefined {
  if (operation?.limit === 'none' || operation?.credentials !== undefined) return undefined;
  return operation?.limit ?? (READ_METHODS.has(method) ? 'read' : 'write');
}
