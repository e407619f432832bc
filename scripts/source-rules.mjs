// Rules about our sources that no other tool checks.
import { basename } from 'node:path';
import ts from 'typescript';

const LINES_AT_MOST = 400;
export const LINES_AIMED_AT = 250;

/** Names that say nothing about what a file holds. */
const EMPTY_NAMES = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'types', 'interfaces', 'misc']);

/** Where SQL may stand: the layer that talks to the database, the samples' own tables, audits and measures, and tests. */
const SQL_PLACES = [
  /^libs\/scheduled-jobs\/src\/postgres\//,
  /^libs\/sample-jobs\/src\/schema\//,
  /^scripts\/demo\/ledger-reader\.mjs$/,
  /^bench\/(?:database|history|ledger)\.mjs$/,
  /^test\//,
  /\.test\.ts$/,
];

const STATEMENT_BEGINNINGS = [
  'select\\s[^]*\\sfrom\\s',
  'insert\\s+into\\s',
  'update\\s+\\S+\\s[^]*\\bset\\s',
  'delete\\s+from\\s',
  'merge\\s+into\\s',
  'with\\s+(?:recursive\\s+)?\\w+\\s+as\\s',
  'truncate\\s',
  '(?:create|alter|drop)\\s(?:[^]*\\s)?(?:table|index|schema|database|type|sequence|function|view|trigger|role)\\s',
];
const SQL = new RegExp(`^\\s*(?:--.*\\s+)*(?:${STATEMENT_BEGINNINGS.join('|')})`, 'i');

const UNFINISHED = /\b(?:[T]ODO|[F]IXME|[X]XX)\b/;
const DEFAULT_EXPORT = /^\s*export\s+default\b|\bas\s+default\b/;
const ONLY_THIS_TEST = /\b(?:it|test|describe|suite|bench)(?:\.\w+)*\.only\b/;

/**
 * @typedef {object} SourceFile
 * @property {string} path from the repository's root, with `/`
 * @property {string} text
 */

/**
 * What is wrong with a file, one line for each fault.
 * @param {SourceFile} file
 * @returns {readonly string[]}
 */
export function faultsOf(file) {
  return [...nameFaults(file), ...lengthFaults(file), ...lineFaults(file), ...sqlFaults(file)];
}

/** @param {string} text */
export function lineCount(text) {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** @param {SourceFile} file */
function nameFaults({ path }) {
  const words = path.split('/').map((part) => basename(part).split('.')[0] ?? '');
  return words
    .filter((word) => EMPTY_NAMES.has(word))
    .map((word) => `${path}: "${word}" says nothing; name the concept.`);
}

/** @param {SourceFile} file */
function lengthFaults({ path, text }) {
  const lines = lineCount(text);
  return lines > LINES_AT_MOST ? [`${path}: ${lines} lines; at most ${LINES_AT_MOST}. Split it by concept.`] : [];
}

/** @param {SourceFile} file */
function lineFaults({ path, text }) {
  const isLibrary = /^libs\/[^/]+\/src\//.test(path);
  const isTest = path.endsWith('.test.ts');
  return text.split('\n').flatMap((line, index) => {
    const at = `${path}:${index + 1}:`;
    return [
      ...(UNFINISHED.test(line) ? [`${at} unfinished work; finish it or remove the note.`] : []),
      ...(isLibrary && DEFAULT_EXPORT.test(line) ? [`${at} a default export; name it.`] : []),
      ...(isTest && ONLY_THIS_TEST.test(line) ? [`${at} leaves all other tests out.`] : []),
    ];
  });
}

/**
 * An English sentence may begin like a statement ("Select a job from …"), but with one capital letter.
 * @param {string} text
 */
function isSql(text) {
  return SQL.test(text) && !/^\s*[A-Z][a-z]/.test(text);
}

/** @param {SourceFile} file */
function sqlFaults({ path, text }) {
  if (SQL_PLACES.some((place) => place.test(path))) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  /** @type {string[]} */
  const faults = [];
  const visit = (/** @type {ts.Node} */ node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    if (isText && isSql(node.getText(source).slice(1, -1))) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      faults.push(`${path}:${line + 1}: SQL; it belongs in libs/scheduled-jobs/src/postgres.`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}
