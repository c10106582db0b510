import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics';

/** Counts wrong passwords, codes and passkeys, at the sign-in and in the settings together. */
@Injectable()
export class SignInFailures {
  readonly count = this.metrics.counter({
    name: 'assay_sign_in_failures_total',
    help: 'Passwords, codes and passkeys that the portal did not accept. throttled: too many attempts',
    labels: { step: ['password', 'code', 'passkey'], reason: ['refused', 'throttled'] },
  });

  constructor(private readonly metrics: Metrics) {}
}
