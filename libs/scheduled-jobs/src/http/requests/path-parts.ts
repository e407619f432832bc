import { NotFoundException } from '@nestjs/common';
import { pagePathOf, type RoutedRequest } from '../dashboard/page-base.js';

/**
 * The parts of the path behind that of an open-ended route, decoded one by one, so that a key may hold an encoded slash.
 * Routers limit the length of a named part (Fastify to 100 characters), and an encoded key may be much longer.
 * @throws NotFoundException when the path is not the encoding of anything.
 */
export function partsBelow(request: RoutedRequest): readonly string[] {
  try {
    return pagePathOf(request).rest.replace(/\/$/, '').split('/').map(decodeURIComponent);
  } catch {
    throw nothingThere();
  }
}

/** There is no such route. */
export const nothingThere = (): NotFoundException => new NotFoundException('There is nothing at this path.');
