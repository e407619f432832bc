import type { Acknowledgement } from '../../engine/operations.js';
import { defineCommand } from '../command.js';
import { EXECUTION_ARGUMENT } from '../execution-argument.js';
import { LEDGER_OPTIONS, withLedger } from '../open-ledger.js';
import { operatorOf, OPERATOR_OPTIONS } from '../operator-input.js';

const WHY_NOT = {
  'not-found': 'there is no such execution',
  'not-failed': 'it has not failed',
  'acknowledged-before': 'it was acknowledged before',
  held: 'something else holds it: ask again',
} as const satisfies Record<Acknowledgement['unchanged'][number]['why'], string>;

/** Acknowledges failures. */
export const ACKNOWLEDGE_COMMAND = defineCommand({
  name: 'acknowledge',
  summary: 'take failures off the list of dead letters: somebody knows of them',
  about: `Acknowledges failures, up to 1000 at a time: they are no dead letters any more, and "replay" leaves them alone.`,
  argument: {
    ...EXECUTION_ARGUMENT,
    help: 'keys of executions, such as daily-report:2026-08-14, or ids',
    count: 'many',
  },
  options: { ...OPERATOR_OPTIONS, ...LEDGER_OPTIONS },
  exitCodes: { 0: 'all of them are acknowledged', 1: 'one of them is no failure, or there is none' },
  run: ({ options, values }, context) =>
    withLedger({ place: options, context }, async ({ client }) => {
      const result = await client.acknowledge(values, operatorOf(options));
      return { exitCode: isWell(result) ? 0 : 1, json: result, text: acknowledgeText(result) };
    }),
});

const isWell = ({ unchanged }: Acknowledgement): boolean => unchanged.every(({ why }) => why === 'acknowledged-before');

const acknowledgeText = ({ acknowledged, unchanged }: Acknowledgement): string =>
  [
    ...acknowledged.map((key) => `${key}: acknowledged.`),
    ...unchanged.map(({ key, why, state }) => `${key}: ${WHY_NOT[why]}${state === null ? '' : ` (${state})`}.`),
  ].join('\n');
