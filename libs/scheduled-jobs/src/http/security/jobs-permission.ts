import { Reflector } from '@nestjs/core';

/** What a route is for: looking, or changing something. */
export const JOBS_PERMISSIONS = ['read', 'operate'] as const;
export type JobsPermissionName = (typeof JOBS_PERMISSIONS)[number];

/** The metadata key under which every route of the library says its permission. */
export const JOBS_PERMISSION = 'nestjs-scheduled-jobs/permission';

/**
 * Says what a handler is for. Guards read it: `reflector.get(JobsPermission, context.getHandler())` is `read` or `operate`
 * on every route of the library, and undefined on those of the application.
 */
export const JobsPermission = Reflector.createDecorator<JobsPermissionName>({ key: JOBS_PERMISSION });
