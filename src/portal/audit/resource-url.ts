import {
  assetUrl,
  beaconUrl,
  channelUrl,
  domainsUrl,
  eventUrl,
  findingUrl,
  importUrl,
  reportUrl,
  scanUrl,
  scheduleUrl,
  webhookUrl,
} from '../urls';

type UrlOf = (organizationId: number, id: string) => string;

const byNumber =
  (urlOf: (organizationId: number, id: number) => string): UrlOf =>
  (organizationId, id) =>
    urlOf(organizationId, Number(id));

/** The pages of the resources that have one. */
const URLS: Readonly<Partial<Record<string, UrlOf>>> = {
  asset: byNumber(assetUrl),
  beacon: byNumber(beaconUrl),
  channel: byNumber(channelUrl),
  domain: domainsUrl,
  event: eventUrl,
  finding: byNumber(findingUrl),
  import: byNumber(importUrl),
  job: scanUrl,
  report: byNumber(reportUrl),
  schedule: byNumber(scheduleUrl),
  webhook: byNumber(webhookUrl),
};

/** Undefined if it has no page, or several were changed. */
export const resourceUrl = (organizationId: number, type: string, id: string): string | undefined =>
  id === '' ? undefined : URLS[type]?.(organizationId, id);
