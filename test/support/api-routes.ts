import { API_ROUTES } from '../../libs/scheduled-jobs/src/http/api-routes.js';
import { membersOf } from '../../libs/scheduled-jobs/src/http/requests/read-query.js';

/** A route of the API, and what it takes. */
export interface RouteUnderTest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Names of its parameters (GET) or of the members of its body (POST). */
  readonly members: readonly string[];
}

/** All routes of the API but its root. */
export const apiRoutes: readonly RouteUnderTest[] = API_ROUTES.map(({ method, path, input }) => ({
  method,
  path,
  members: input === null ? [] : [...membersOf(input)],
}));
