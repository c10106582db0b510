import { ACTOR_TYPES } from '../../../platform/api/caller';
import { presented, ResponseField } from '../../../platform/api/response-field';
import { SEVERITIES } from '../../../kernel/severity';
import type { ExplainedSighting } from '../scans/sightings.service';

class SightingActor {
  @ResponseField.string({ enum: ACTOR_TYPES })
  type!: string;

  @ResponseField.string({ description: 'The id of the user who imported or recorded it.' })
  id!: string;
}

export class SightingResponse {
  @ResponseField.integer({ description: 'The finding that was seen: this one, or one that is merged into it.' })
  finding_id!: number;

  @ResponseField.string({ description: 'The tool. `assay` is a job, and `manual` a recording by a person.' })
  scanner!: string;

  @ResponseField.string({ nullable: true, description: "The scanner's identifier of its rule." })
  rule_id!: string | null;

  @ResponseField.instant()
  seen_at!: string;

  @ResponseField.integer({ nullable: true })
  import_id!: number | null;

  @ResponseField.string({ nullable: true, description: 'The job that saw it.' })
  job_uuid!: string | null;

  @ResponseField.integer({ nullable: true, description: 'The line of the imported file.' })
  line!: number | null;

  @ResponseField.one(SightingActor)
  actor!: SightingActor;

  @ResponseField.string({ description: 'As the scanner wrote it.' })
  title!: string;

  @ResponseField.string({ enum: SEVERITIES, description: 'As the scanner stated it.' })
  severity!: string;

  @ResponseField.string({ nullable: true, description: 'As the scanner wrote it.' })
  location!: string | null;

  @ResponseField.string({ nullable: true })
  parameter!: string | null;

  @ResponseField.string({ nullable: true, description: 'What the scanner shows as proof.' })
  evidence!: string | null;

  @ResponseField.boolean({ description: 'Whether the file had the request and an extract of its response.' })
  has_replay!: boolean;

  @ResponseField.boolean({ description: 'Whether the file had the source of a template.' })
  has_template!: boolean;

  @ResponseField.strings({
    description: 'The parts of the identity. Sightings with the same parts belong to one finding.',
  })
  identity!: string[];
}

export class SightingListResponse {
  @ResponseField.list(SightingResponse)
  sightings!: SightingResponse[];
}

export const presentSighting = (sighting: ExplainedSighting): SightingResponse =>
  presented(SightingResponse, sighting, {
    actor: { type: sighting.actorType, id: sighting.actorId },
    severity: SEVERITIES[sighting.severity],
    identity: [...sighting.identity],
  });
