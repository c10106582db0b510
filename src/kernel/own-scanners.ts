/** The names of our own tests and of people among those who saw a finding. No file may use them. */
export const OWN_SCANNERS = { job: 'assay', person: 'manual' } as const;

export const isOwnScanner = (name: string): boolean =>
  Object.values<string>(OWN_SCANNERS).includes(name.trim().toLowerCase());
