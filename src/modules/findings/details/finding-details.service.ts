import { Injectable } from '@nestjs/common';
import { groupBy } from '../../../kernel/group-by';
import { SEVERITIES, type Severity } from '../../../kernel/severity';
import type { ActorType } from '../../../platform/api/caller';
import type { Scope } from '../../../platform/api/scope';
import {
  FindingDetailsRepository,
  type FindingOutline,
  type ReportedFinding,
  type UnselectedFinding,
} from './data/finding-details.repository';
import type { FindingSelection, FindingsOf } from './data/finding-source';
import type { FindingTexts } from '../data/finding-texts.entity';
import { FindingTextsRepository } from '../changes/data/finding-texts.repository';
import type { FieldChange } from '../domain/field-change';
import type { FindingHistory } from '../data/finding-history.entity';
import type { FindingStatus } from '../domain/finding-status';
import { isYamlCheck, locationOfCheckDefinition } from '../domain/check-definition';
import { type KnownVulnerability, UNKNOWN_VULNERABILITY } from '../../vulnerabilities';
import { FindingVulnerabilities } from '../changes/finding-vulnerabilities';
import { type CheckFacts, factsOfCheck } from '../domain/check-facts';

export interface StatusTransition extends Pick<FindingHistory, 'id' | 'html' | 'edited' | 'justification'> {
  readonly at: Date;
  /** Null for the entry of the creation. */
  readonly from: FindingStatus | null;
  readonly to: FindingStatus;
  readonly actor: { readonly type: ActorType; readonly id: string };
  readonly comment: string | null;
  /** Whether it is a comment by a person, which does not change the status. */
  readonly isComment: boolean;
  readonly byAgent: boolean;
  /** The fields that a person edited. */
  readonly changes: readonly FieldChange[] | null;
}

/** A finding with its history, as reports need it. Columns that are not declared here keep their types. */
export interface FindingDetails extends Omit<
  ReportedFinding,
  'severity' | 'score' | 'fingerprint' | 'checkDefinition' | 'seenLocation'
> {
  readonly severity: Severity;
  readonly score: number | null;
  readonly vulnerability: KnownVulnerability;
  /** In hex. */
  readonly fingerprint: string;
  /** The location that its check tests; otherwise where it was last seen. */
  readonly location: string | null;
  /** Null for a check in YAML. */
  readonly builtInCheck: CheckFacts | null;
  readonly builtInCheckId: string | null;
  /** Texts that people wrote besides its description. */
  readonly texts: FindingTexts | null;
  /** Oldest first. If there are too many, only the newest ones. */
  readonly transitions: readonly StatusTransition[];
}

const MAX_TRANSITIONS = 200;
const MAX_UNSELECTED = 1_000;

/** Reads many findings at once, for reports. */
@Injectable()
export class FindingDetailsService {
  constructor(
    private readonly repository: FindingDetailsRepository,
    private readonly vulnerabilities: FindingVulnerabilities,
    private readonly texts: FindingTextsRepository,
  ) {}

  /**
   * The findings that match and those that do not (at most 1,000), most urgent first, and the number of all findings of the
   * subject.
   */
  async listMatching(
    scope: Scope,
    subject: FindingsOf,
    selection: FindingSelection,
    limit: number,
  ): Promise<{ chosen: FindingOutline[]; unselected: UnselectedFinding[]; ofSubject: number }> {
    const chosen = await this.repository.listOutlines(scope, subject, selection, limit);
    const ofSubject = 'ids' in subject ? subject.ids.length : await this.repository.count(scope, subject);
    const isWhole = chosen.length >= Math.min(limit, ofSubject);
    const unselected = isWhole ? [] : await this.repository.listUnselected(scope, subject, selection, MAX_UNSELECTED);
    return { chosen, unselected, ofSubject };
  }

  /** Those that match among the `examined` most urgent findings of the subject, most urgent first. */
  listMostUrgent(
    scope: Scope,
    subject: FindingsOf,
    selection: FindingSelection,
    most: { readonly examined: number; readonly limit: number },
  ): Promise<FindingOutline[]> {
    return this.repository.listMostUrgent(scope, subject, selection, most);
  }

  /** How many match among the newest findings of the subject. One more is `examined` if it has more than `most`. */
  countMatching(
    scope: Scope,
    subject: FindingsOf,
    selection: FindingSelection,
    most: number,
  ): Promise<{ readonly examined: number; readonly selected: number }> {
    return this.repository.countNewest(scope, subject, selection, most + 1);
  }

  /** In any order. Leaves out findings that were deleted or merged. */
  listOutlines(scope: Scope, ids: readonly number[]): Promise<FindingOutline[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.repository.listOutlinesByIds(scope, ids);
  }

  /** In the order of the ids. Leaves out findings that were deleted in the meantime. */
  async listByIds(scope: Scope, ids: readonly number[]): Promise<FindingDetails[]> {
    const findings = await this.vulnerabilities.addTo(await this.repository.listByIds(scope, ids));
    const byId = new Map(findings.map((finding) => [finding.id, finding]));
    const newest = await this.repository.listTransitionsOfVisible([...byId.keys()], MAX_TRANSITIONS);
    const edited = findings.filter(({ edits }) => edits !== null).map(({ id }) => id);
    const texts = new Map((await this.textsOf(edited)).map((one) => [one.findingId, one]));
    const history = groupBy(newest, ({ findingId }) => findingId);
    return ids.flatMap((id) => {
      const finding = byId.get(id);
      return finding === undefined ? [] : [detailsOf(finding, texts.get(id) ?? null, history.get(id) ?? [])];
    });
  }

  /** When each of these findings was last open, as far as its history shows it. */
  lastOpenOfVisible(ids: readonly number[]): Promise<Map<number, Date>> {
    return this.repository.listLastOpenOfVisible(ids);
  }

  private async textsOf(edited: readonly number[]): Promise<FindingTexts[]> {
    return edited.length === 0 ? [] : this.texts.listOfVisible(edited);
  }
}

const detailsOf = (
  {
    severity,
    score,
    fingerprint,
    checkDefinition,
    seenLocation,
    vulnerability = UNKNOWN_VULNERABILITY,
    ...fields
  }: ReportedFinding & Partial<Pick<FindingDetails, 'vulnerability'>>,
  texts: FindingTexts | null,
  history: readonly FindingHistory[],
): FindingDetails => ({
  ...fields,
  vulnerability,
  texts,
  severity: SEVERITIES[severity],
  score: score === null ? null : Number(score),
  location: locationOfCheckDefinition(checkDefinition) ?? seenLocation,
  builtInCheck: fields.checkId === null || isYamlCheck(checkDefinition) ? null : factsOfCheck(fields.checkId),
  builtInCheckId: isYamlCheck(checkDefinition) ? null : fields.checkId,
  fingerprint: fingerprint.toString('hex'),
  transitions: history
    .toReversed()
    .map(
      ({
        id,
        created,
        previousStatus,
        status,
        actorType,
        actorId,
        comment,
        isComment,
        byAgent,
        html,
        edited,
        changes,
        justification,
      }) => ({
        id,
        at: created,
        from: previousStatus,
        to: status,
        actor: { type: actorType, id: actorId },
        comment,
        isComment,
        byAgent,
        changes,
        html,
        edited,
        justification,
      }),
    ),
});
