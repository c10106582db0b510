import { roles } from '../../kernel/role';
import { severityVocabulary } from '../../kernel/severity';
import { ASSET_TIERS, ASSET_TYPES } from '../../modules/assets';
import { beaconStatusVocabulary } from '../../modules/beacons';
import { discoveryStatusVocabulary } from '../../modules/discovery';
import { DIMENSIONS, eventCategoryVocabulary, eventStatusVocabulary, eventTypeVocabulary } from '../../modules/events';
import { CHANGE_KINDS, observationStatusVocabulary } from '../../modules/observations';
import { findingStatusVocabulary, priorityVocabulary } from '../../modules/findings';
import { jobStatusVocabulary } from '../../modules/jobs';
import { retestResultVocabulary, retestStatusVocabulary } from '../../modules/retests';
import { reportVocabulary } from '../../modules/reports';
import { DURATION_UNITS } from '../../modules/settings';
import { ACTOR_TYPES, KEY_SCOPES } from '../../platform/api/caller';
import { RESOURCE_CATEGORIES } from '../../platform/api/resource-type';
import type { EnumsResponse } from './http/service.responses';

/** All enumerations of the API, from the tables that the code uses. */
export const vocabularies: EnumsResponse = {
  roles: [...roles],
  key_scopes: [...KEY_SCOPES],
  audit: {
    actor_types: [...ACTOR_TYPES],
    statuses: ['success', 'failure'],
    resource_types: Object.keys(RESOURCE_CATEGORIES),
    operation_categories: [...new Set(Object.values(RESOURCE_CATEGORIES))],
  },
  assets: {
    types: ASSET_TYPES,
    tiers: ASSET_TIERS,
  },
  findings: {
    statuses: findingStatusVocabulary,
    severities: severityVocabulary,
    priorities: priorityVocabulary,
  },
  retests: {
    statuses: retestStatusVocabulary,
    results: retestResultVocabulary.map(({ name }) => name),
  },
  beacons: {
    statuses: beaconStatusVocabulary,
  },
  discoveries: {
    statuses: discoveryStatusVocabulary,
  },
  observations: {
    statuses: observationStatusVocabulary,
    change_kinds: CHANGE_KINDS,
  },
  events: {
    statuses: eventStatusVocabulary,
    types: eventTypeVocabulary,
    categories: eventCategoryVocabulary,
    dimensions: DIMENSIONS,
    duration_units: DURATION_UNITS,
  },
  jobs: {
    statuses: jobStatusVocabulary,
  },
  reports: reportVocabulary,
};
