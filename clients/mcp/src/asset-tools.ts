import { z } from 'zod';
import { dataOf } from '../../sdk/src';
import { flag, number, rowOf, text, texts } from './records';
import { cursor, id, organizationId, pageOf, readingTool } from './tool';

const LISTED = {
  id: number,
  value: text,
  type: text,
  tier: number,
  risk_score: text,
  n_findings: number,
  labels: texts,
  owner: text,
};
const ASSET = {
  ...LISTED,
  organization_id: number,
  ip: text,
  ports: texts,
  services: texts,
  technologies: texts,
  active_tests: text,
  private: flag,
};
const CHANGE = {
  asset_id: number,
  seen: text,
  kind: text,
  address: text,
  port: number,
  before: text,
  after: text,
};
const EVENT = {
  slug: text,
  name: text,
  status: text,
  organization_id: number,
  start_date: text,
  end_date: text,
  automatic: flag,
  depth: text,
};

export const assetTools = [
  readingTool({
    name: 'search_assets',
    title: 'Search assets',
    description: 'Lists the assets of an organization, the highest risk first.',
    input: {
      organization_id: organizationId,
      query: z.string().min(1).max(200).optional().describe('A part of the value.'),
      label: z.string().min(1).max(80).optional(),
      cursor,
    },
    record: LISTED,
    async run({ organization_id, query: q, label }, { client, from, signal, organization }) {
      const path = { organization_id: await organization(organization_id) };
      const query = { per_page: 50, sort: 'risk' as const, q, label, after: from.after };
      const { data, after } = await pageOf(
        client.GET('/v1/organizations/{organization_id}/assets/', { params: { path, query }, signal }),
      );
      const records = data.assets.map((asset) => rowOf(LISTED, asset));
      return { heading: `${records.length} assets on this page.`, records, after, next: 'get_asset, list_changes' };
    },
  }),
  readingTool({
    name: 'get_asset',
    title: 'Read an asset',
    description: 'Reads an asset with what was observed on it: address, ports, services and technologies.',
    input: { asset_id: id },
    record: ASSET,
    async run({ asset_id }, { client, signal }) {
      const asset = await dataOf(client.GET('/v1/assets/{asset_id}', { params: { path: { asset_id } }, signal }));
      return {
        heading: `Asset ${asset_id}.`,
        records: [rowOf(ASSET, asset)],
        next: 'list_changes, search_findings with asset_id',
      };
    },
  }),
  readingTool({
    name: 'list_changes',
    title: 'List what has changed on assets',
    description: 'Lists what has changed on one asset, or on all assets of an organization, the newest first.',
    input: {
      organization_id: organizationId,
      asset_id: id.optional(),
      since: z.iso.date().optional().describe('The first day, such as 2026-01-31.'),
      cursor,
    },
    record: CHANGE,
    async run({ organization_id, asset_id, since }, { client, from, signal, organization }) {
      const query = { per_page: 50, since, after: from.after };
      const { data, after } = await (asset_id === undefined
        ? pageOf(
            client.GET('/v1/organizations/{organization_id}/changes', {
              params: { path: { organization_id: await organization(organization_id) }, query },
              signal,
            }),
          )
        : pageOf(client.GET('/v1/assets/{asset_id}/changes', { params: { path: { asset_id }, query }, signal })));
      const records = data.changes.map((change) => rowOf(CHANGE, change));
      return { heading: `${records.length} changes on this page.`, records, after, next: 'get_asset' };
    },
  }),
  readingTool({
    name: 'list_events',
    title: 'List events',
    description: 'Lists the test events that the key may read, the newest first.',
    input: { cursor },
    record: EVENT,
    async run(_input, { client, from, signal }) {
      const query = { per_page: 50, after: from.after };
      const { data, after } = await pageOf(client.GET('/v1/events', { params: { query }, signal }));
      const records = data.events.map((event) => rowOf(EVENT, event));
      return { heading: `${records.length} events on this page.`, records, after };
    },
  }),
];
