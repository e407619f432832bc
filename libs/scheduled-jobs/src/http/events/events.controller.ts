import { Inject, Req, Sse, type MessageEvent } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { ChangeFeed } from './change-feed.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { refuseParameters, type ApiRequest } from '../requests/read-query.js';

/** What a reader who does not read may have waiting, characters; then it is dropped, and connects anew. */
const MAX_PENDING = 262_144;

/** Hints of changes while they happen, as server-sent events: ids and states only. */
export class EventsController {
  constructor(@Inject(ChangeFeed) private readonly feed: ChangeFeed) {}

  @Sse('', { maxPendingDataLength: MAX_PENDING })
  @JobsPermission('read')
  events(@Req() request: ApiRequest): Observable<MessageEvent> {
    refuseParameters(request);
    return this.feed.open(request.socket);
  }
}
