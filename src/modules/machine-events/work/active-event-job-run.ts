import { Injectable } from '@nestjs/common';
import { WorkKind } from '../../../platform/work/work-handler';
import { ACTIVE_EVENT_JOB_KIND } from '../../jobs';
import { EventJobRun } from './event-job-run';

/** The same for events with depth active, whose jobs take hours. */
@Injectable()
@WorkKind(ACTIVE_EVENT_JOB_KIND)
export class ActiveEventJobRun extends EventJobRun {}
