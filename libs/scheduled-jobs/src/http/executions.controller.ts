import { Get, Inject, NotFoundException, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ExecutionNotFoundError } from '../core/errors.js';
import type {
  ExecutionDetail,
  ExecutionSummary,
  LedgerReader,
  Page,
  PageRequest,
} from '../core/ports/ledger-reader.js';
import type { Stores } from '../postgres/create-stores.js';
import { STORES } from '../nest/tokens.js';
import { ReaderView } from './reader-view.js';
import { ExecutionListDto, executionQuery } from './execution-list.dto.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from './jobs-http-options.js';
import { PageDto, pageRequest } from './page.dto.js';
import { readQuery, refuseParameters, type ApiRequest } from './read-query.js';

/** Executions: the list, one of them, and what belongs to it. */
export class ExecutionsController {
  private readonly ledger: LedgerReader;
  private readonly view: ReaderView;

  constructor(
    @Inject(STORES) stores: Stores,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
    private readonly adapterHost: HttpAdapterHost,
  ) {
    this.ledger = stores.ledger;
    this.view = new ReaderView(options.showStacks);
  }

  @Get()
  async list(@Req() request: ApiRequest): Promise<Page<ExecutionSummary>> {
    return this.ledger.find(executionQuery(await readQuery(ExecutionListDto, request)), null);
  }

  /**
   * One execution and what belongs to it, `/:key` and `/:key/attempts|steps|logs|items|why`. One open-ended route for all: routers
   * limit the length of a named part (Fastify to 100 characters), and an encoded key may be much longer.
   */
  async below(@Req() request: ApiRequest): Promise<unknown> {
    const [key, part, ...more] = this.partsOf(request);
    if (key === undefined || key === '' || more.length > 0) throw notFound();
    switch (part) {
      case undefined:
        return this.detail(key, request);
      case 'why':
        return this.why(key, request);
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
        throw notFound();
    }
  }

  private async detail(key: string, request: ApiRequest): Promise<unknown> {
    refuseParameters(request);
    return this.view.execution(await this.execution(key));
  }

  private async why(key: string, request: ApiRequest): Promise<unknown> {
    refuseParameters(request);
    const explanation = await this.ledger.why(key, null);
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
    const detail = await this.ledger.get(key, null);
    if (detail === null) throw new ExecutionNotFoundError(key);
    return detail;
  }

  /** The parts of the path behind `/executions/`, decoded one by one, so that a key may hold an encoded slash. */
  private partsOf(request: ApiRequest): readonly string[] {
    const url: unknown = this.adapterHost.httpAdapter.getRequestUrl(request);
    const [path = ''] = String(url).split('?', 1);
    const base = `/${this.options.path}/api/executions/`;
    const start = path.indexOf(base);
    if (start < 0) throw notFound();
    try {
      const rest = path.slice(start + base.length).replace(/\/$/, '');
      return rest.split('/').map(decodeURIComponent);
    } catch {
      throw notFound(); // Not the encoding of any key.
    }
  }
}

const notFound = (): NotFoundException => new NotFoundException('There is nothing at this path.');
