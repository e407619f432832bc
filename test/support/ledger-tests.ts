import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { expectInvariants } from './ledger-invariants.js';
import { TestLedger } from './ledger.js';

/** One ledger for all tests of a file, emptied before each of them and looked over after it. */
export function useLedger(options: Parameters<typeof TestLedger.create>[0] = {}): () => TestLedger {
  let ledger: TestLedger;
  beforeAll(async () => {
    ledger = await TestLedger.create(options);
  });
  beforeEach(() => ledger.reset());
  afterEach(() => expectInvariants(ledger));
  afterAll(() => ledger.close());
  return () => ledger;
}
