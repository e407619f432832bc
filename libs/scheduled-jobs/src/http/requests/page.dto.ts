import { IsOptional, Matches } from 'class-validator';
import type { PageRequest } from '../../core/ports/ledger-reader.js';

/** Which part of a list to read. */
export class PageDto {
  /** 1 … 200. Default 50. */
  @IsOptional()
  @Matches(/^([1-9]\d?|1\d\d|200)$/, { message: '$property must be a whole number from 1 to 200' })
  readonly limit?: string;

  /** The `nextCursor` of the page before. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9_-]{1,2000}$/, { message: '$property must be the nextCursor of a page' })
  readonly cursor?: string;
}

/** The page that a checked query asks for. */
export const pageRequest = ({ limit, cursor }: PageDto): PageRequest => ({
  ...(limit === undefined ? {} : { limit: Number(limit) }),
  ...(cursor === undefined ? {} : { after: cursor }),
});
