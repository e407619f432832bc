import { Inject, Injectable } from '@nestjs/common';
import { shown } from '../../core/job/option-reader.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../jobs-http-options.js';
import { refuseParameters, type ApiRequest } from '../read-query.js';
import { actorOf } from '../security/actor-of.js';
import { readBody } from './read-body.js';

/** What somebody asks for. */
interface ActionKind<T extends object> {
  /** Such as `pause`. */
  readonly name: string;
  /** What it is done to; null = to nothing in particular. */
  readonly subject: string | null;
  /** The rules of the body. */
  readonly body: new () => T;
}

/** Who asks for it, and why, as the client takes it. */
export interface By {
  readonly actor: string | null;
  readonly reason: string;
}

/** Does what people ask for over HTTP: reads the request, finds out who it is, and does it. */
@Injectable()
export class Actions {
  constructor(@Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions) {}

  /**
   * @throws InvalidQueryError for any parameter; InvalidRequestError with every problem of the body; what `work` throws.
   */
  async do<T extends { readonly reason: string }, Answer>(
    request: ApiRequest,
    { name, subject, body }: ActionKind<T>,
    work: (body: T, by: By) => Promise<Answer>,
  ): Promise<Answer> {
    refuseParameters(request);
    const { value } = await readBody(body, request, subject === null ? name : `${name} ${shown(subject)}`);
    const actor = await actorOf(request, this.options);
    return work(value, { actor, reason: value.reason });
  }
}
