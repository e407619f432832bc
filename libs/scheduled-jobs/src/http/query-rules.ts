import { ValidateBy } from 'class-validator';
import { parseDuration } from '../core/duration.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+ -]\d\d:\d\d)$/;

/** A text that is an instant of RFC 3339, with its offset. */
export const IsInstantText = (): PropertyDecorator =>
  ValidateBy({
    name: 'isInstantText',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value.replaceAll(' ', '+'))),
      defaultMessage: () => '$property must be an instant with its offset, such as 2026-08-14T04:00:00Z',
    },
  });

/** A text that is a duration. */
export const IsDurationText = (): PropertyDecorator =>
  ValidateBy({
    name: 'isDurationText',
    validator: {
      validate: (value: unknown) => parseDuration(value) !== null,
      defaultMessage: () => '$property must be a duration such as 500ms, 30s or 5m',
    },
  });
