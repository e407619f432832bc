import { ForbiddenException, Injectable, type CanActivate } from '@nestjs/common';

/** Refuses every request: what the application has not opened stays closed. */
@Injectable()
export class ClosedGuard implements CanActivate {
  canActivate(): never {
    throw new ForbiddenException(
      "Nobody has access to the jobs yet. Give JobsHttpModule.forRoot() `guards`, or `access: 'host'` when guards of the whole application protect it.",
    );
  }
}
