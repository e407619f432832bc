import { Matches, ValidateBy } from 'class-validator';
import { parseDuration } from '../../core/duration.js';
import { parseInstant } from '../../core/instant-text.js';
import { JOB_NAME } from '../../core/job/execution-key.js';

/** What is counted from such an instant stays within what the ledger can hold, and is written with four digits. */
const YEARS = { first: 1900, last: 9999 };

/** In a query a plus sign means a blank, and people paste labels and offsets as they see them. */
export const withPlus = (text: string): string => text.replaceAll(' ', '+');

/** What is read of a member that is given. */
export const given = <T, Read>(value: T | undefined, read: (value: T) => Read): Read | undefined =>
  value === undefined ? undefined : read(value);

/** The instant that a checked text stands for. */
export const instantOf = (text: string): Date => new Date(withPlus(text));

/** A text that is an instant of RFC 3339 from the year 1900 on, with its offset. */
export const IsInstantText = (): PropertyDecorator =>
  ValidateBy({
    name: 'isInstantText',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isHoldable(value),
      defaultMessage: () =>
        '$property must be an instant from the year 1900 on, with its offset, such as 2026-08-14T04:00:00Z',
    },
  });

/** The offset may carry an instant into the year behind the last one. */
function isHoldable(text: string): boolean {
  const instant = parseInstant(withPlus(text));
  return instant !== null && Number(text.slice(0, 4)) >= YEARS.first && instant.getUTCFullYear() <= YEARS.last;
}

/** A text that is a duration. */
export const IsDurationText = (): PropertyDecorator =>
  ValidateBy({
    name: 'isDurationText',
    validator: {
      validate: (value: unknown) => parseDuration(value) !== null,
      defaultMessage: () => '$property must be a duration such as 500ms, 30s or 5m',
    },
  });

/** The `nextCursor` of the page before. */
export const IsCursor = (): PropertyDecorator =>
  Matches(/^[A-Za-z0-9_-]{1,2000}$/, { message: '$property must be the nextCursor of a page' });

/** How many rows a page has, 1 … 200. */
export const IsPageLimit = (): PropertyDecorator =>
  Matches(/^([1-9]\d?|1\d\d|200)$/, { message: '$property must be a whole number from 1 to 200' });

/** A text that may be the name of a job or of a queue. */
export const IsJobName = (): PropertyDecorator =>
  Matches(JOB_NAME.pattern, { message: `$property must be ${JOB_NAME.hint}` });
