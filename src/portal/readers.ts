import { ActivityActors } from './activity/activity-actors';
import { ActivityReader } from './activity/activity-reader';
import { AssetReader } from './assets/asset-reader';
import { DiscoveryReader } from './discoveries/discovery-reader';
import { EventReader } from './events/event-reader';
import { FindingListReader } from './findings/finding-list-reader';
import { FindingReader } from './findings/finding-reader';
import { ChecklistReader } from './home/checklist-reader';
import { HomeReader } from './home/home-reader';
import { OperationsReader } from './home/operations-reader';
import { WeekReader } from './home/week-reader';
import { ImportReader } from './imports/import-reader';
import { ObservationReader } from './observations/observation-reader';
import { PaletteReader } from './palette/palette-reader';
import { ReportReader } from './reports/report-reader';
import { EventChoices } from './scans/event-choices';
import { ScanReader } from './scans/scan-reader';
import { ScheduleReader } from './schedules/schedule-reader';

/** What reads the records that a page shows together. */
export const READERS = [
  FindingReader,
  FindingListReader,
  HomeReader,
  OperationsReader,
  ChecklistReader,
  WeekReader,
  ActivityActors,
  ActivityReader,
  EventChoices,
  ScanReader,
  AssetReader,
  ObservationReader,
  DiscoveryReader,
  EventReader,
  ImportReader,
  PaletteReader,
  ReportReader,
  ScheduleReader,
] as const;
