import { Injectable } from '@nestjs/common';
import { everything } from '../../../platform/api/scope';
import { Scheduled } from '../../../platform/work/work-handler';
import { TargetPacesRepository } from '../data/target-paces.repository';

const scope = everything('a host has one pace for all organizations');

/** Deletes the paces of hosts that are no longer tested. */
@Injectable()
export class PastPaces {
  constructor(private readonly paces: TargetPacesRepository) {}

  @Scheduled({ name: 'retest.past_paces', everySeconds: 3_600 })
  async run(): Promise<void> {
    await this.paces.deletePast(scope);
  }
}
