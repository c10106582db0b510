import { Injectable } from '@nestjs/common';
import { everything } from '../../../platform/api/scope';
import { Scheduled } from '../../../platform/work/work-handler';
import { CallbacksRepository } from '../data/callbacks.repository';

const scope = everything('calls of the listener are removed for all organizations');

/** Removes calls a day after nothing follows from them any more. */
@Injectable()
export class PastCallbacks {
  constructor(private readonly calls: CallbacksRepository) {}

  @Scheduled({ name: 'callback.past', everySeconds: 3_600 })
  async run(): Promise<void> {
    await this.calls.deletePast(scope);
  }
}
