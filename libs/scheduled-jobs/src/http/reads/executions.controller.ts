import { Get, Inject, Req, UseInterceptors } from '@nestjs/common';
import { ExecutionNotFoundError } from '../../core/errors.js';
import type {
  ExecutionDetail,
  ExecutionSummary,
  LedgerReader,
  Page,
  PageRequest,
} from '../../core/ports/ledger-reader.js';
import type { Stores } from '../../postgres/create-stores.js';
import { STORES } from '../../nest/tokens.js';
import { EntityTagInterceptor } from '../answers/entity-tag.interceptor.js';
import { ReaderView } from '../views/reader-view.js';
import { ExecutionListDto, executionQuery, windowOf, type AnswerWindow } from './execution-list.dto.js';
import type { RoutedRequest } from '../dashboard/page-base.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../jobs-http-options.js';
import { JobsPermission } from '../security/jobs-permission.js';
import { PageDto, pageRequest } from '../requests/page.dto.js';
import { nothingThere, partsBelow } from '../requests/path-parts.js';
import { readQuery, refuseParameters, type ApiRequest } from '../requests/read-query.js';
import { TimelineView } from '../views/timeline-view.js';

/** A page of executions, and which stretch of nominal times it is of; null = all of them. */
export interface ExecutionListAnswer extends Page<ExecutionSummary> {
  readonly window: AnswerWindow | null;
}

/** Executions: the list, one of them, and what belongs to it. */
export class ExecutionsController {
  private readonly ledger: LedgerReader;
  private readonly timelines: TimelineView;
  private readonly view: ReaderView;

  constructor(
    @Inject(STORES) private readonly stores: Stores,
    @Inject(HTTP_OPTIONS) { showStacks }: ResolvedHttpOptions,
  ) {
    this.ledger = stores.ledger;
    this.timelines = new TimelineView(stores);
    this.view = new ReaderView(showStacks);
  }

  @Get()
  @JobsPermission('read')
  async list(@Req() request: ApiRequest): Promise<ExecutionListAnswer> {
    const query = executionQuery(await readQuery(ExecutionListDto, request));
    const now = this.stores.clock.boundNow();
    const window = windowOf(query, now ?? new Date());
    return { ...(await this.ledger.find(query, now, window?.from ?? undefined)), window };
  }

  /**
   * One execution and what belongs to it, `/:key` and `/:key/attempts|steps|logs|items|timeline|why`, one open-ended
   * route.
   */
  @JobsPermission('read')
  @UseInterceptors(EntityTagInterceptor)
  async below(@Req() request: ApiRequest & RoutedRequest): Promise<unknown> {
    const [key, part, ...more] = partsBelow(request);
    if (key === undefined || key === '' || more.length > 0) throw nothingThere();
    switch (part) {
      case undefined:
        return this.detail(key, request);
      case 'why':
        return this.why(key, request);
      case 'timeline':
        refuseParameters(request);
        return this.timelines.of(await this.execution(key));
      case 'attempts':
        return this.page(key, request, async (id, page) => {
          const { items, nextCursor } = await this.ledger.attempts(id, page);
          return { items: items.map((attempt) => this.view.attempt(attempt)), nextCursor };
        });
      case 'steps':
        return this.page(key, request, (id, page) => this.ledger.steps(id, page));
      case 'logs':
        return this.page(key, request, (id, page) => this.ledger.logs(id, page));
      case 'items':
        return this.page(key, request, async (id, page) => {
          const { items, nextCursor } = await this.ledger.items(id, page);
          return { items: items.map((item) => this.view.item(item)), nextCursor };
        });
      default:
        throw nothingThere();
    }
  }

  private async detail(key: string, request: ApiRequest): Promise<unknown> {
    refuseParameters(request);
    return this.view.execution(await this.execution(key));
  }

  private async why(key: string, request: ApiRequest): Promise<unknown> {
    refuseParameters(request);
    const explanation = await this.ledger.why(key, this.stores.clock.boundNow());
    if (explanation === null) throw new ExecutionNotFoundError(key);
    return explanation;
  }

  private async page(
    key: string,
    request: ApiRequest,
    read: (executionId: string, page: PageRequest) => Promise<unknown>,
  ): Promise<unknown> {
    const page = pageRequest(await readQuery(PageDto, request));
    const { executionId } = await this.execution(key);
    return read(executionId, page);
  }

  private async execution(key: string): Promise<ExecutionDetail> {
    const detail = await this.ledger.get(key, this.stores.clock.boundNow());
    if (detail === null) throw new ExecutionNotFoundError(key);
    return detail;
  }
}
