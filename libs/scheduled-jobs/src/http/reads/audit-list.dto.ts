import { IsIn, IsOptional, Length, Matches } from 'class-validator';
import { definedOnly } from '../../core/defined-only.js';
import { AUDIT_ACTIONS, type AuditAction } from '../../core/execution/audit-action.js';
import type { AuditQuery } from '../../core/ports/audit-log.js';
import { given, instantOf, IsJobName } from '../requests/query-rules.js';
import { WindowListDto } from '../requests/window.dto.js';

const length = { message: '$property must be a text of $constraint1–$constraint2 characters' };
const NO_NUL = { message: '$property must not contain the character U+0000' };

/** The filter of `GET /audit`. Members left out do not filter. */
export class AuditListDto extends WindowListDto {
  /** To what: the key of an execution, the name of a job or queue, the id of a backfill. */
  @IsOptional()
  @Length(1, 1_000, length)
  @Matches(/^[^\0]*$/, NO_NUL)
  readonly subject?: string;

  @IsOptional()
  @IsJobName()
  readonly job?: string;

  /** The key or the id of an execution. */
  @IsOptional()
  @Length(1, 500, length)
  @Matches(/^[^\0]*$/, NO_NUL)
  readonly execution?: string;

  @IsOptional()
  @IsIn(AUDIT_ACTIONS, { message: `$property must be one of ${AUDIT_ACTIONS.join(', ')}` })
  readonly action?: AuditAction;

  @IsOptional()
  @Length(1, 500, length)
  @Matches(/^[^\0]*$/, NO_NUL)
  readonly actor?: string;
}

/** The query that a checked filter stands for. */
export const auditQuery = ({ from, to, limit, ...same }: AuditListDto): AuditQuery =>
  definedOnly({ ...same, from: given(from, instantOf), to: given(to, instantOf), limit: given(limit, Number) });
