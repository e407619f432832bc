import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { config } from './config.js';

/** Set by the sign-in; browsers send it along with everything they ask here. */
export const TOKEN_COOKIE = 'jobs_token';

interface TokenRequest {
  /** Where the REST API looks for who asks: that is the actor of the audit. */
  user?: { readonly name: string };
  readonly headers: { readonly authorization?: string; readonly cookie?: string };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const EXPECTED = digest(config.apiToken);

/** Tells whether a text is the token. Digests have one length, and the comparison takes equally long whatever is wrong. */
export const isApiToken = (text: string): boolean => timingSafeEqual(digest(text), EXPECTED);

/** Lets in who sends `Authorization: Bearer <API_TOKEN>`, or the cookie of the sign-in. */
@Injectable()
export class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<TokenRequest>();
    const { headers } = request;
    const [, bearer] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    if (isApiToken(bearer ?? cookieOf(headers.cookie ?? ''))) {
      request.user = { name: config.apiUser };
      return true;
    }
    throw new UnauthorizedException(
      'Send the header "Authorization: Bearer <API_TOKEN>", or open this address with ?token=<API_TOKEN> in a browser.',
    );
  }
}

function cookieOf(header: string): string {
  const pairs = header.split('; ').map((pair) => pair.split('='));
  const value = pairs.find(([name]) => name === TOKEN_COOKIE)?.[1] ?? '';
  try {
    return decodeURIComponent(value);
  } catch {
    return ''; // Not what the sign-in has written.
  }
}
