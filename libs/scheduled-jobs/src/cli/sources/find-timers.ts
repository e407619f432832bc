import type ts from 'typescript';
import { importedNames, meantName, memberOf, unwrapped, type ImportedName } from './imported-names.js';
import type { TypeScript } from './load-typescript.js';
import { replacementOf, type TimerCall } from './replacement.js';

const KINDS = ['@Cron', '@Interval', '@Timeout', 'setInterval', 'CronJob', 'node-cron'] as const;
/** A timer that each process of a service has for itself. */
export type TimerKind = (typeof KINDS)[number];

/** A timer that was found. */
export interface FoundTimer {
  readonly line: number;
  readonly kind: TimerKind;
  /** Class and method, such as `ReportJobs.daily`; null = it stands outside of classes. */
  readonly place: string | null;
  /** What to write in its place. */
  readonly replacement: string;
}

/** What a file holds. */
export interface FileTimers {
  readonly timers: readonly FoundTimer[];
  /** Timers beside which a comment says why each process has one. */
  readonly kept: number;
}

/** A comment that keeps a timer, with its reason. */
const KEPT = /(?:\/\/|\/\*|\*)\s*per-instance:\s*\S/;
const TIMER_MODULES: ReadonlySet<string> = new Set([
  'timers',
  'node:timers',
  'timers/promises',
  'node:timers/promises',
]);
const GLOBALS: ReadonlySet<string> = new Set(['globalThis', 'global', 'window', 'self']);

/** Finds the timers of a source that run in each process of a service. */
export function findTimers(compiler: TypeScript, path: string, text: string): FileTimers {
  const file = compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest, true);
  const names = importedNames(compiler, file);
  const lines = text.split('\n');
  const timers: FoundTimer[] = [];
  let kept = 0;
  for (const node of nodesOf(compiler, file)) {
    const call = compiler.isCallExpression(node) || compiler.isNewExpression(node) ? node : null;
    const kind = call === null ? null : kindOf(compiler, call, names);
    if (call !== null && kind !== null) {
      const line = lineOf(file, call.getStart(file));
      const place = placeOf(compiler, call);
      const around = [line, line - 1, lineOf(file, ownerOf(compiler, call).getStart(file)) - 1];
      if (around.some((index) => KEPT.test(lines[index] ?? ''))) kept += 1;
      else
        timers.push({
          line: line + 1,
          kind,
          place,
          replacement: replacementOf(timerCall(compiler, file, { call, kind, place })),
        });
    }
  }
  return { timers, kept };
}

/** All nodes of a source in its order; not by calls in calls, for a sum of 20,000 texts is nested that deeply. */
function* nodesOf(compiler: TypeScript, file: ts.SourceFile): Generator<ts.Node> {
  const ahead: ts.Node[] = [file];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    yield node;
    const children: ts.Node[] = [];
    compiler.forEachChild(node, (child) => void children.push(child));
    for (const child of children.toReversed()) ahead.push(child);
  }
}

const lineOf = (file: ts.SourceFile, position: number): number => file.getLineAndCharacterOfPosition(position).line;

type Call = ts.CallExpression | ts.NewExpression;

function kindOf(compiler: TypeScript, call: Call, names: ReadonlyMap<string, ImportedName>): TimerKind | null {
  const meant = meantName(compiler, call.expression, names);
  if (meant === null) return isGlobalInterval(compiler, call, names) ? 'setInterval' : null;
  const { module, name } = meant;
  // Also inside applyDecorators, or as the value of a name.
  if (module === '@nestjs/schedule') return KINDS.find((kind) => kind === `@${name}`) ?? null;
  if (module === 'cron') return name === 'CronJob' || name === 'CronJob.from' ? 'CronJob' : null;
  if (module === 'node-cron') return name === 'schedule' || name === 'default.schedule' ? 'node-cron' : null;
  return TIMER_MODULES.has(module) && name.endsWith('setInterval') ? 'setInterval' : null;
}

function isGlobalInterval(compiler: TypeScript, call: Call, names: ReadonlyMap<string, ImportedName>): boolean {
  const expression = unwrapped(compiler, call.expression);
  if (compiler.isIdentifier(expression)) return expression.text === 'setInterval' && !names.has('setInterval');
  const member = memberOf(compiler, expression);
  return member?.name === 'setInterval' && compiler.isIdentifier(member.owner) && GLOBALS.has(member.owner.text);
}

/** The member of a class or the statement that a timer belongs to. */
function ownerOf(compiler: TypeScript, call: Call): ts.Node {
  let node: ts.Node = call;
  while (!compiler.isClassElement(node) && !compiler.isStatement(node) && !compiler.isSourceFile(node.parent)) {
    node = node.parent;
  }
  return node;
}

function placeOf(compiler: TypeScript, call: Call): string | null {
  let member: string | null = null;
  for (let node: ts.Node = call; !compiler.isSourceFile(node); node = node.parent) {
    if (compiler.isClassElement(node)) member = node.name?.getText() ?? 'constructor';
    if (compiler.isClassLike(node)) return `${node.name?.text ?? 'class'}.${member ?? '?'}`;
  }
  return null;
}

/** What of a call matters to what replaces it, as texts. */
function timerCall(
  compiler: TypeScript,
  file: ts.SourceFile,
  { call, kind, place }: { readonly call: Call; readonly kind: TimerKind; readonly place: string | null },
): TimerCall {
  const args = [...(call.arguments ?? [])];
  const object = args.find((arg) => compiler.isObjectLiteralExpression(arg));
  const options = new Map<string, string>();
  for (const property of object?.properties ?? []) {
    if (property.name === undefined) continue;
    const value = compiler.isPropertyAssignment(property) ? property.initializer : property.name;
    options.set(property.name.getText(file), value.getText(file));
  }
  return { kind, place, args: args.map((arg) => arg.getText(file)), options };
}
