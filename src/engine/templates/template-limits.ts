/** Who wrote a template: a request or the file of a scanner states it, or an operator has loaded it. */
export type TemplateOrigin = 'stated' | 'loaded';

/** How much a template may send. */
export interface TemplateLimits {
  /** The values of a payload. */
  readonly payloads: number;
  /** The requests of one probe, redirects apart, and so the combinations of its payloads. */
  readonly requests: number;
}

export const TEMPLATE_LIMITS: Readonly<Record<TemplateOrigin, TemplateLimits>> = {
  // A test of one finding is no dictionary attack.
  stated: { payloads: 20, requests: 60 },
  // In its time a job sends at most 1,200 requests.
  loaded: { payloads: 1_000, requests: 1_000 },
};

/** Each repeat sends all requests that depend on each other, sixteen times for `fixed`. */
export const MOST_DEPENDENT_REQUESTS = 60;
