import { IsOptional } from 'class-validator';
import { definedOnly } from '../../core/defined-only.js';
import type { PageRequest } from '../../core/ports/ledger-reader.js';
import { given, IsCursor, IsPageLimit } from './query-rules.js';

/** Which part of a list to read. */
export class PageDto {
  /** 1 … 200. Default 50. */
  @IsOptional()
  @IsPageLimit()
  readonly limit?: string;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @IsCursor()
  readonly cursor?: string;
}

/** The page that a checked query asks for. */
export const pageRequest = ({ limit, cursor }: PageDto): PageRequest =>
  definedOnly({ limit: given(limit, Number), after: cursor });
