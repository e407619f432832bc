import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { config } from './config.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const EXPECTED = digest(`Bearer ${config.apiToken}`);

/** Lets in who sends `Authorization: Bearer <API_TOKEN>`. */
@Injectable()
export class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ readonly headers: { readonly authorization?: string } }>();
    // digests have one length, and the comparison takes equally long whatever is wrong: time tells nothing of the token
    if (timingSafeEqual(digest(headers.authorization ?? ''), EXPECTED)) return true;
    throw new UnauthorizedException('Send the header "Authorization: Bearer <API_TOKEN>".');
  }
}
