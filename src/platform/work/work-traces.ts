import { Injectable } from '@nestjs/common';
import { Tracer } from '../tracing/tracer';
import type { Claim } from './claim';
import type { AttemptOutcome } from './work-metrics';

/** The spans of attempts. */
@Injectable()
export class WorkTraces {
  constructor(private readonly tracer: Tracer) {}

  /** `traced` is the claim whose trace is the span of the attempt. Work that no request has added begins a trace. */
  begin(claim: Claim): { traced: Claim; end: (outcome: AttemptOutcome) => void } {
    const span = this.tracer.start('consumer', claim.trace);
    return {
      traced: { ...claim, trace: span.context },
      end: (outcome) =>
        span.end({
          name: `work ${claim.kind}`,
          attributes: {
            'assay.work.kind': claim.kind,
            'assay.work.reference': claim.reference,
            'assay.work.attempt': claim.attempt,
            'assay.work.outcome': outcome,
            'assay.organization_id': claim.organizationId,
          },
          failed: outcome === 'failed' || outcome === 'retried',
        }),
    };
  }
}
