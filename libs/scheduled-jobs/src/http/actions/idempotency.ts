import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import type { RepeatableRequest } from '../../core/ports/request-store.js';
import { errorText } from '../../nest/loggable-error.js';
import { STORES } from '../../nest/tokens.js';
import type { Stores } from '../../postgres/create-stores.js';
import { ProblemException } from '../answers/problem.js';
import type { ApiRequest } from '../requests/read-query.js';

/** Printable ASCII: what a header can carry everywhere. */
const KEY = /^[\x20-\x7e]{1,200}$/;

/** Who asks for what. */
interface Asked {
  readonly actor: string | null;
  readonly action: string;
  readonly subject: string | null;
  /** The body as JSON text. */
  readonly body: string;
}

/** Lets a sender repeat a request whose answer was lost: one key is one action within a day. */
@Injectable()
export class Idempotency {
  private readonly logger = new Logger('ScheduledJobsHttp');

  // Where the ledger was not imported, JobsHttpModule says so.
  constructor(@Optional() @Inject(STORES) private readonly stores: Stores) {}

  /**
   * What the header `Idempotency-Key` stands for; null = there is none. Nobody comes upon the answers of another actor.
   * @throws ProblemException when the key cannot be one.
   */
  read({ headers = {} }: ApiRequest, { actor, action, subject, body }: Asked): RepeatableRequest | null {
    const key = headers['idempotency-key'];
    if (key === undefined) return null;
    if (typeof key !== 'string' || !KEY.test(key)) {
      throw new ProblemException(
        400,
        'JOBS_REQUEST_REFUSED',
        'Idempotency-Key must be 1–200 printable ASCII characters.',
      );
    }
    return { requestId: hash([actor, key]), digest: hash([action, subject, body]) };
  }

  /**
   * Does it, unless it was done before.
   * @throws ProblemException when the key was used for something else, or its first request is not answered yet; what `work`
   * throws, and then the key is free again.
   */
  async once<Answer>(request: RepeatableRequest, work: () => Promise<Answer>): Promise<Answer> {
    const found = await this.stores.requests.begin(request, this.stores.clock.boundNow());
    if (found.standing === 'answered') return found.answer as Answer;
    if (found.standing !== 'begun') throw refused(found.standing);
    try {
      const answer = await work();
      await this.keep(request, answer);
      return answer;
    } catch (error) {
      await this.stores.requests.forget(request).catch(() => undefined);
      throw error;
    }
  }

  /** What was done is done: that the answer cannot be kept is no reason to give another one. */
  private async keep(request: RepeatableRequest, answer: unknown): Promise<void> {
    try {
      await this.stores.requests.answered(request, JSON.stringify(answer));
    } catch (error) {
      this.logger.warn(`The answer of a request could not be kept for its repetition: ${errorText(error)}`);
    }
  }
}

function refused(standing: 'in-progress' | 'other'): ProblemException {
  if (standing === 'other') {
    return new ProblemException(
      409,
      'JOBS_IDEMPOTENCY_KEY_REUSED',
      'The Idempotency-Key was used for another request within the last day. Give each request a key of its own.',
    );
  }
  return new ProblemException(
    409,
    'JOBS_REQUEST_IN_PROGRESS',
    'The first request with this Idempotency-Key has no answer yet. Repeat it in a moment.',
  );
}

const hash = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
