/** The instant that a statement takes as now: its parameter, or the database's time when that is null. */
export const boundNow = (parameter: number): string => `coalesce($${parameter}::timestamptz, now())`;
