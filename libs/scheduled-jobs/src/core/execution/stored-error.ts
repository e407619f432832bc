import type { StoredError } from './attempt-record.js';
import { byteLength, cutText, replaceUnstorable } from './bounded-text.js';
import { quieten } from '../quieten.js';
import { partsOf } from './error-kind.js';
import { isA, member } from './guarded-read.js';
import { redactFields, redactStart } from './redaction.js';

/** Message and stack together, in bytes. */
const MAX_BYTES = 65_536;
const MAX_MESSAGE_BYTES = 32_768;
const MAX_CAUSE_MESSAGE_BYTES = 4_096;
const MAX_NAME_LENGTH = 200;
const MAX_QUOTED_BYTES = 500;
const MAX_CAUSES = 5;
/** Causes and parts in all. */
const MAX_RELATED = 20;
/** How much of a text is looked at. */
const MAX_READ = 2 * MAX_BYTES;
const MAX_FRAMES_LENGTH = 16_384;

/** The parts of a thrown value, read once and safely. */
interface Reading {
  readonly errorClass: string;
  readonly code: string | null;
  readonly message: string;
  /** The lines of the stack below its first line; empty = none. */
  readonly frames: string;
}

/**
 * Turns any thrown value into what is stored of it: at most 64 KiB, without secrets, with its causes and the parts of an
 * AggregateError below its own stack. Never throws.
 */
export function storeError(thrown: unknown): StoredError {
  const read = readThrown(thrown, MAX_MESSAGE_BYTES);
  const chain = [header(read), ...related(thrown, 1, new Set([thrown]))].join('\n');
  const hasStack = read.frames !== '' || chain.includes('\n');
  const stackBytes = MAX_BYTES - byteLength(read.message);
  return {
    errorClass: read.errorClass,
    code: read.code,
    message: read.message,
    stack: hasStack ? cutText(chain, stackBytes) : null,
    fingerprint: fingerprint(read),
  };
}

/** The text of a thrown value as a message of our own may quote it: at most 500 bytes, without secrets. Never throws. */
export const thrownText = (thrown: unknown): string => cutText(storeError(thrown).message, MAX_QUOTED_BYTES);

/** Class, first line of the message, and frames, as people know them from a console. */
function header({ errorClass, message, frames }: Reading): string {
  const firstLine = cutText(message.split('\n', 1)[0] ?? '', 1_024);
  return frames === '' ? `${errorClass}: ${firstLine}` : `${errorClass}: ${firstLine}\n${frames}`;
}

/** The causes and parts of an error, outermost first, each once. */
function related(thrown: unknown, depth: number, seen: Set<unknown>): readonly string[] {
  if (depth > MAX_CAUSES) return [];
  const lines: string[] = [];
  const found = [
    ...partsOf(thrown).map((part) => ['One of them', part] as const),
    ['Caused by', member(thrown, 'cause')] as const,
  ];
  for (const [relation, one] of found) {
    if (one === undefined || one === null || seen.has(one) || seen.size > MAX_RELATED) continue;
    seen.add(one);
    lines.push(`${relation}: ${header(readThrown(one, MAX_CAUSE_MESSAGE_BYTES))}`, ...related(one, depth + 1, seen));
  }
  return lines;
}

function readThrown(thrown: unknown, maxMessageBytes: number): Reading {
  quieten(thrown);
  const own = ownMessage(thrown);
  const stack = member(thrown, 'stack');
  const code = member(thrown, 'code');
  return {
    errorClass: storable(classOf(thrown)).slice(0, MAX_NAME_LENGTH),
    code:
      typeof code === 'string' || typeof code === 'number' ? storable(String(code)).slice(0, MAX_NAME_LENGTH) : null,
    message: cutText(storable(own), maxMessageBytes),
    frames: typeof stack === 'string' ? storable(framesOf(stack, own)) : '',
  };
}

function ownMessage(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown === '' ? '(empty string)' : thrown;
  const message = member(thrown, 'message');
  if (typeof message === 'string' && message !== '') return message;
  return isA(thrown, Error) ? '(no message)' : shown(thrown);
}

/** A value that is not an error, as text; its own `toString` and `toJSON` are not trusted. */
function shown(value: unknown): string {
  if (typeof value === 'function') return sourceOf(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(redactFields(value)) : String(value);
}

function sourceOf(value: object): string {
  try {
    return Function.prototype.toString.call(value);
  } catch {
    return '(function)';
  }
}

function classOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return thrown === null ? 'null' : typeof thrown;
  const name = member(thrown, 'name');
  const constructorName = member(member(thrown, 'constructor'), 'name');
  if (typeof name === 'string' && name !== '' && name !== 'Error') return name;
  if (typeof constructorName === 'string' && constructorName !== '') return constructorName;
  return typeof name === 'string' && name !== '' ? name : 'Object';
}

/** The stack repeats the message, which may be huge; only the frames below it are of use. */
function framesOf(stack: string, message: string): string {
  const messageAt = stack.indexOf(message);
  const framesAt = messageAt < 0 ? stack.search(/^\s+at /m) : messageAt + message.length;
  const frames = framesAt < 0 ? '' : stack.slice(framesAt, framesAt + MAX_FRAMES_LENGTH);
  return frames.replace(/^[^\S\n]*\n/, '').trimEnd();
}

/** Bounds the search for secrets as well. */
const storable = (text: string): string => redactStart(replaceUnstorable(text.slice(0, MAX_READ + 1)), MAX_READ);

/** Errors of one class thrown at one place with one text, numbers and ids aside, have one fingerprint. */
function fingerprint({ errorClass, code, message, frames }: Reading): string {
  const text = message
    .slice(0, 1_000)
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '#')
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '#')
    .replaceAll(/\d+/g, '#');
  const place = (frames.split('\n', 1)[0] ?? '').replace(/\(?(?:file:\/\/)?[^\s()]*[/\\]/, '').trim();
  return hash([errorClass, code, text, place].join('\n'));
}

/** FNV-1a in two lanes of 32 bits: it groups equal errors and is no protection against anybody. */
function hash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let index = 0; index < text.length; index++) {
    low = Math.imul(low ^ text.charCodeAt(index), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(index), 0x85ebca6b);
  }
  return [high, low].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}
