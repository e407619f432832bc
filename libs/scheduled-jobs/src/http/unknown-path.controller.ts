import { NotFoundException } from '@nestjs/common';

/** Answers everything else below the API, so that a mistyped path does not fall through to the application. */
export class UnknownPathController {
  unknown(): never {
    throw new NotFoundException('There is nothing at this path.');
  }
}
