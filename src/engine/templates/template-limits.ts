/** The source of a template: a request or a scanner's file states it, or an operator has loaded it. */
export type TemplateOrigin = 'stated' | 'loaded';

/** How much a template may send. */
export interface TemplateLimits {
  /** The number of values of a payload. */
  readonly payloads: number;
  /** The number of requests of one probe, not counting redirects, and so the number of payload combinations. */
  readonly requests: number;
}

export const TEMPLATE_LIMITS: Readonly<Record<TemplateOrigin, TemplateLimits>> = {
  // The test of one finding is not a dictionary attack.
  stated: { payloads: 20, requests: 60 },
  // Within its time limit, a job sends at most 1,200 requests.
  loaded: { payloads: 1_000, requests: 1_000 },
};

/** Each repeat sends all requests that depend on each other, and `fixed` takes sixteen repeats. */
export const MOST_DEPENDENT_REQUESTS = 60;
