import { Inject, Injectable } from '@nestjs/common';
import { shown } from '../../core/job/option-reader.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../jobs-http-options.js';
import { refuseParameters, type ApiRequest } from '../requests/read-query.js';
import { actorOf } from '../security/actor-of.js';
import { Idempotency } from './idempotency.js';
import { readBody, type Members } from '../requests/read-body.js';

/** What somebody asks for. */
interface Action<Body extends object> {
  /** Such as `pause`. */
  readonly name: string;
  /** What it is done to; null = nothing in particular. */
  readonly subject: string | null;
  /** The rules of the body. */
  readonly body: new () => Body;
}

/** Who asks for it. */
export interface Asker {
  readonly actor: string | null;
  /** Stands for the request, however often it is sent; null = it is not meant to be repeated. */
  readonly requestId: string | null;
}

/** Does what people ask for over HTTP: reads the request, finds out who it is, and does it once. */
@Injectable()
export class Actions {
  constructor(
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * @param work Gets the checked members of the body.
   * @throws InvalidQueryError for any parameter; InvalidRequestError with every problem of the body; ProblemException when
   * an `Idempotency-Key` stands in the way; what `work` throws.
   */
  async do<Body extends object, Answer>(
    request: ApiRequest,
    { name, subject, body }: Action<Body>,
    work: (body: Members<Body>, asker: Asker) => Promise<Answer>,
  ): Promise<Answer> {
    refuseParameters(request);
    const operation = subject === null ? name : `${name} ${shown(subject)}`;
    const { members, text } = await readBody(body, request, operation);
    const actor = await actorOf(request, this.options);
    const repeatable = this.idempotency.read(request, { actor, action: name, subject, body: text });
    const asker = { actor, requestId: repeatable?.requestId ?? null };
    if (repeatable === null) return work(members, asker);
    return this.idempotency.once(repeatable, () => work(members, asker));
  }
}
