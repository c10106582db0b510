import { Acknowledgement, created, done } from '../../../platform/http/acknowledgement';
import { ResponseField } from '../../../platform/api/response-field';
import type { RecordingResult } from '../../findings';
import type { RecordedFinding } from '../event-findings.service';

export class FindingAcknowledgement extends Acknowledgement {
  @ResponseField.strings({
    optional: true,
    description:
      'Warnings about the recorded check, each with its solution: the requests of a YAML check that can match without content. Absent if there are none.',
  })
  warnings?: string[];
}

/** The acknowledgement of each outcome, with its status code. */
const acknowledgements: Readonly<Record<RecordingResult['outcome'], (id: number) => Acknowledgement>> = {
  created: (id) => created('Finding', id),
  seen_again: (id) => done('Finding seen again.', id),
  reopened: (id) => done('Finding seen again, and reopened.', id),
};

export function acknowledgeFinding({ finding, outcome, warnings }: RecordedFinding): FindingAcknowledgement {
  const { code, description, id, success } = acknowledgements[outcome](finding.id);
  if (warnings.length === 0) return { code, description, id, success };
  // Some clients show only the description, so it mentions the warnings.
  return {
    code,
    description: `${description} See the warnings about its check.`,
    id,
    success,
    warnings: [...warnings],
  };
}

const success = true;

export const createdExample: FindingAcknowledgement = { code: 201, description: 'Finding created.', id: 4711, success };

export const seenAgainExample: FindingAcknowledgement = {
  code: 200,
  description: 'Finding seen again. See the warnings about its check.',
  id: 4711,
  success,
  warnings: [
    'check.http: http[0].matchers can match without content that only the weakness shows. Retests then take the page of a firewall or a login for the weakness and say still_vulnerable. Add a word or regex matcher for that content, with "matchers-condition: and".',
  ],
};
