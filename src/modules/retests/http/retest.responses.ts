import type { SignedEvidence } from '../../../engine';
import { presented, ResponseField } from '../../../platform/api/response-field';
import { WorkTimesResponse } from '../../../platform/api/work-times.response';
import type { Retest } from '../data/retest.entity';
import { envelopeAttachment } from '../../evidence';
import { nextStepOf } from '../domain/next-step';
import { RETEST_RESULTS, RETEST_STATUSES } from '../domain/retest-status';
import { type SecondLook, secondLookOf } from '../domain/second-look';
import type { RetestEvidence } from '../retest-attestations.service';
import type { RetestView } from '../retests.service';

class SecondLookOfRetestResponse {
  @ResponseField.instant({ nullable: true, description: 'When the next look is planned; null for none.' })
  due!: string | null;

  @ResponseField.instant({ nullable: true, description: 'When the last look ended.' })
  finished!: string | null;

  @ResponseField.string({ nullable: true, enum: RETEST_RESULTS, description: 'Null if nothing was sent.' })
  result!: string | null;

  @ResponseField.string({ nullable: true })
  reason!: string | null;
}

export class RetestResponse extends WorkTimesResponse {
  @ResponseField.string()
  uuid!: string;

  @ResponseField.integer({ nullable: true, description: 'The beacon through which it tests; null for none.' })
  beacon_id!: number | null;

  @ResponseField.string({ enum: RETEST_STATUSES })
  status!: string;

  @ResponseField.string({ nullable: true, enum: RETEST_RESULTS, description: 'Null until the retest is finished.' })
  result!: string | null;

  @ResponseField.string({
    nullable: true,
    description:
      'The explanation of the result, or the reason why the retest ended without one. Null until the retest has ended, and after a manual verdict without a comment.',
  })
  reason!: string | null;

  @ResponseField.string({
    nullable: true,
    enum: ['confirmed', 'setting'],
    description:
      'Of `fixed` by refusal: an admin has confirmed that the refusal is the fix, or a setting of the organization lets it count.',
  })
  by_refusal!: string | null;

  @ResponseField.string({ nullable: true, description: 'Of `inconclusive` and `blocked`: what to do about it.' })
  next_step!: string | null;

  @ResponseField.integer({
    nullable: true,
    description:
      'The position among the retests of the organization that wait for a worker, 1 for the next; otherwise null.',
  })
  position!: number | null;

  @ResponseField.one(SecondLookOfRetestResponse, {
    nullable: true,
    description: 'The look at a fixed finding some hours later; null if there is none.',
  })
  second_look!: SecondLookOfRetestResponse | null;
}

export class RetestEvidenceResponse {
  @ResponseField.string()
  uuid!: string;

  @ResponseField.string({ enum: RETEST_STATUSES })
  status!: string;

  @ResponseField.string({ nullable: true, enum: RETEST_RESULTS })
  result!: string | null;

  @ResponseField.string({ nullable: true, description: 'The explanation of the result, as in the retest.' })
  reason!: string | null;

  @ResponseField.object({
    nullable: true,
    description:
      'Every probe of the target, with what was sent and received; null without probes: a verdict by hand, or a retest that was canceled or could not run.',
  })
  evidence!: object | null;

  @ResponseField.object({
    nullable: true,
    description:
      'Ed25519 over the evidence in its canonical form (RFC 8785); the public key is at /v1/evidence-keys, by its id.',
  })
  signature!: object | null;
}

export const presentRetest = (retest: Retest): RetestResponse => presentRetestView({ retest, position: null });

export const presentRetestView = ({ retest, position }: RetestView): RetestResponse =>
  presented(RetestResponse, retest, {
    next_step: nextStepOf({ ...retest, isOfJob: false }),
    position,
    second_look: presentSecondLook(secondLookOf(retest)),
  });

const presentSecondLook = (look: SecondLook | null): SecondLookOfRetestResponse | null =>
  look && {
    due: look.due?.toISOString() ?? null,
    finished: look.finished?.toISOString() ?? null,
    result: look.result,
    reason: look.reason,
  };

export const presentEvidence = (
  { uuid, status, result, reason }: Retest,
  signed: SignedEvidence | null,
): RetestEvidenceResponse => ({
  uuid,
  status,
  result,
  reason,
  evidence: signed?.evidence ?? null,
  signature: signed?.signature ?? null,
});

/** As JSON, or as the envelope if one was ordered. */
export const presentOrderedEvidence = ({ retest, evidence, envelope }: RetestEvidence) =>
  envelope === undefined
    ? presentEvidence(retest, evidence)
    : envelopeAttachment(envelope, `retest-${retest.uuid}.dsse.json`);

const EXAMPLE_UUID = '019a8c5e-7b00-7cc4-9a53-0d4f2c6b1e77';
const EXAMPLE_CREATED = '2026-01-31T12:00:00.000Z';
const EXAMPLE_FIXED_REASON =
  'X-Content-Type-Options is nosniff; the target is the one that was tested, and 16 requests agree';

export const pendingExample: RetestResponse = {
  uuid: EXAMPLE_UUID,
  beacon_id: null,
  status: 'pending',
  result: null,
  reason: null,
  by_refusal: null,
  next_step: null,
  position: 1,
  created: EXAMPLE_CREATED,
  started: null,
  finished: null,
  second_look: null,
};

export const canceledExample: RetestResponse = {
  uuid: EXAMPLE_UUID,
  beacon_id: null,
  status: 'canceled',
  result: null,
  reason: 'It was canceled.',
  by_refusal: null,
  next_step: null,
  position: null,
  created: EXAMPLE_CREATED,
  started: null,
  finished: '2026-01-31T12:00:30.000Z',
  second_look: null,
};

export const finishedExample: RetestResponse = {
  uuid: EXAMPLE_UUID,
  beacon_id: null,
  status: 'finished',
  result: 'fixed',
  reason: EXAMPLE_FIXED_REASON,
  by_refusal: null,
  next_step: null,
  position: null,
  created: EXAMPLE_CREATED,
  started: '2026-01-31T12:00:00.100Z',
  finished: '2026-01-31T12:00:05.300Z',
  second_look: null,
};

export const givenVerdictExample: RetestResponse = {
  uuid: EXAMPLE_UUID,
  beacon_id: null,
  status: 'finished',
  result: 'fixed',
  reason: 'Seen on the new release, by two of us.',
  by_refusal: null,
  next_step: null,
  position: null,
  created: EXAMPLE_CREATED,
  started: null,
  finished: '2026-01-31T12:00:05.300Z',
  second_look: null,
};

export const evidenceExample: RetestEvidenceResponse = {
  uuid: EXAMPLE_UUID,
  status: 'finished',
  result: 'fixed',
  reason: EXAMPLE_FIXED_REASON,
  evidence: { type: 'assay/retest-evidence/1', target: 'https://www.example.com/', beacon: null, probes: [] },
  signature: { algorithm: 'Ed25519', key: '3f0c8a5d92b17e64', value: 'bm90IGEgcmVhbCBzaWduYXR1cmU=' },
};
