import { Allow, IsBoolean, IsOptional, Length } from 'class-validator';

/** What every action takes: why. Who is known from the request. */
export class ActionDto {
  /** Stands in the audit, without secrets. */
  @Length(1, 500, { message: '$property is required: a text of 1 to 500 characters that says why' })
  readonly reason: string;
}

/** How one execution is executed once more. */
export class RetryDto extends ActionDto {
  /** True = also a success, from its beginning. Default false. */
  @IsOptional()
  @IsBoolean({ message: '$property must be true or false' })
  readonly force?: boolean;

  /** Of a background job: takes the place of the stored payload. Default that stays as it is. */
  @Allow()
  readonly payload?: unknown;
}
