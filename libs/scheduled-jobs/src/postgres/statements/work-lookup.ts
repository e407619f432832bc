/*
 * How statements look many rows of work up by their ids. Left to itself the planner believes statistics that were taken
 * while the work was empty or nothing was leased, and reads all of the work, at worst once for each id. What it cannot
 * look into it cannot misjudge.
 */

/** The ids of a parameter, in an array whose length is unknown to the planner: each is looked up in the primary key. */
export const givenIds = (parameter: number): string => `array(select unnest($${parameter}::bigint[]))`;

/** True for work that is leased. Statistics may say that none is; a case is opaque to them. */
export const isLeased = (work: string): string => `case when ${work}.lease_until is null then false else true end`;
