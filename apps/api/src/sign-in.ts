import { isApiToken, TOKEN_COOKIE } from './token.guard.js';

/** What is needed of Express, whose types are not installed. */
interface SignInRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly secure: boolean;
}

interface SignInResponse {
  cookie(name: string, value: string, options: object): void;
  setHeader(name: string, value: string): void;
  redirect(status: number, address: string): void;
}

/**
 * Turns `?token=<API_TOKEN>` of a page's address into a cookie and leads to the address without it, so that the token stays
 * neither in the address nor in the history. Scripts cannot read the cookie, and other sites cannot make browsers send it.
 */
export function signIn(request: SignInRequest, response: SignInResponse, next: () => void): void {
  const { token } = request.query;
  if (request.method !== 'GET' || typeof token !== 'string' || !isApiToken(token)) return next();
  response.cookie(TOKEN_COOKIE, token, { httpOnly: true, sameSite: 'strict', secure: request.secure });
  response.setHeader('Cache-Control', 'no-store');
  response.redirect(303, request.path.replace(/^\/+/, '/')); // two slashes in front would name another server
}
