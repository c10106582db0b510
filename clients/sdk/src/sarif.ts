/** With one category for all scans of an application: that of the service has the host, and previews have other hosts. */
export function withCategory(log: unknown, category: string): string {
  const { runs = [] } = (log ?? {}) as { readonly runs?: readonly object[] };
  const categorized = runs.map((one) => ({ ...one, automationDetails: { id: `${category}/` } }));
  return JSON.stringify({ ...(log as object), runs: categorized });
}

/**
 * Of a scan without a result. It has a category of its own, because an upload to that of the application would close its
 * alerts, as if they were fixed.
 */
export const incompleteSarif = (category: string, reason: string, version: string): string =>
  JSON.stringify({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Assay', version } },
        automationDetails: { id: `${category}-incomplete/` },
        invocations: [
          {
            executionSuccessful: false,
            toolExecutionNotifications: [{ level: 'error', message: { text: `The scan is incomplete: ${reason}` } }],
          },
        ],
        results: [],
      },
    ],
  });
