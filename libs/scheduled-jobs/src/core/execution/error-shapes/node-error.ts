import { member } from '../guarded-read.js';
import { TRANSIENT, type Judgement } from '../judgement.js';

/** Codes of Node.js, undici and axios for a network or a machine that has a bad moment. */
const TRANSIENT_CODES: ReadonlySet<unknown> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENFILE',
  'ENOBUFS',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'ABORT_ERR',
  'ERR_CANCELED',
  'ERR_NETWORK',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
  'UND_ERR_ABORTED',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_DESTROYED',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** What `AbortSignal` and fetch throw for a limit that the handler set itself. */
const TRANSIENT_NAMES: ReadonlySet<unknown> = new Set(['AbortError', 'TimeoutError']);

/** Judges errors of the network, aborts and timeouts. Null = it is none. */
export const judgeNodeError = (error: unknown): Judgement | null =>
  TRANSIENT_CODES.has(member(error, 'code')) || TRANSIENT_NAMES.has(member(error, 'name')) ? TRANSIENT : null;
