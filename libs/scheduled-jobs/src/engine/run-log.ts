import { byteLength, cutText, replaceUnstorable } from '../core/execution/bounded-text.js';
import type { Lease } from '../core/execution/claimed-execution.js';
import { redactFields, redactStart } from '../core/execution/redaction.js';
import type { RunLog } from '../core/job/job-run.js';
import type { LogLine } from '../core/ports/work-store.js';

/** Lines of one attempt. */
const MAX_LINES = 1_000;
/** Message and fields of one line, in bytes. */
const MAX_LINE_BYTES = 8_192;
const MAX_MESSAGE_BYTES = 4_096;

type Fields = Readonly<Record<string, unknown>>;

export interface AttemptLogOptions {
  readonly lease: Lease;
  /** Database time. */
  readonly now: () => Date;
  readonly append: (line: LogLine) => void;
}

/** The log of one attempt: bounded, without secrets, and never a reason for a handler to fail. */
export class AttemptLog implements RunLog {
  private lineNo = 0;

  constructor(private readonly options: AttemptLogOptions) {}

  // Bound, because handlers take `log` and its methods apart.
  readonly debug = (message: string, fields?: Fields): void => this.write('debug', message, fields);
  readonly info = (message: string, fields?: Fields): void => this.write('info', message, fields);
  readonly warn = (message: string, fields?: Fields): void => this.write('warn', message, fields);
  readonly error = (message: string, fields?: Fields): void => this.write('error', message, fields);

  private write(level: LogLine['level'], message: unknown, fields: Fields | undefined): void {
    if (this.lineNo >= MAX_LINES) return;
    if (this.lineNo === MAX_LINES - 1)
      return this.append('warn', `Later lines are left out: ${MAX_LINES} are kept.`, null);
    const text = cutText(
      redactStart(replaceUnstorable(textOf(message).slice(0, MAX_LINE_BYTES + 1)), MAX_LINE_BYTES),
      MAX_MESSAGE_BYTES,
    );
    this.append(level, text, fieldsOf(fields, MAX_LINE_BYTES - byteLength(text)));
  }

  private append(level: LogLine['level'], message: string, fields: string | null): void {
    const { lease, now, append } = this.options;
    append({ ...lease, lineNo: ++this.lineNo, at: now(), level, message, fields });
  }
}

/** Handlers in plain JavaScript may log anything. */
function textOf(message: unknown): string {
  try {
    return String(message);
  } catch {
    return '(a value that has no text)';
  }
}

function fieldsOf(fields: Fields | undefined, maxBytes: number): string | null {
  if (fields === undefined) return null;
  const plain = redactFields(fields);
  if (plain === null || typeof plain !== 'object') return null;
  // The replacer sees names and texts before they become JSON escapes.
  const json = JSON.stringify(plain, (_, value: unknown) =>
    typeof value === 'string' ? replaceUnstorable(value) : value,
  );
  const bytes = byteLength(json);
  if (bytes > maxBytes) return JSON.stringify({ truncated: true, bytes });
  return /\\u(?:0000|d[89a-f])/i.test(json) ? JSON.stringify({ unstorable: true }) : json;
}
