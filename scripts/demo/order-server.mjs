// A shop's order server that is not always well: every other answer is 200, the others are 429 with Retry-After, 503 and a
// slow 200, in turn.
//   HOST=0.0.0.0 PORT=4000 node scripts/demo/order-server.mjs
import { once } from 'node:events';
import { createServer } from 'node:http';
import { runIfStarted } from '../entry.mjs';

const RETRY_AFTER_S = 1;
const SLOW_MS = 4_000; // longer than any patient client waits
const ORDERS_EVERY_MS = 5_000;

/**
 * @typedef {object} OrderServer
 * @property {string} url
 * @property {readonly Answered[]} answered the last calls, oldest first
 * @property {() => void} stop safe to call twice
 */

/** @typedef {keyof typeof BEHAVIOURS} Behaviour */
/** @typedef {{ readonly idempotencyKey: string, readonly behaviour: Behaviour }} Answered */

/** @satisfies {Record<string, (request: URL, response: import('node:http').ServerResponse) => void>} */
const BEHAVIOURS = {
  ok: (request, response) => sendOrders(request, response),
  tooMany: (_request, response) => response.writeHead(429, { 'retry-after': String(RETRY_AFTER_S) }).end(),
  unavailable: (_request, response) => response.writeHead(503).end(),
  slow: (request, response) => void setTimeout(() => sendOrders(request, response), SLOW_MS).unref(),
};
/** @type {readonly Behaviour[]} */
const TURNS = ['ok', 'tooMany', 'ok', 'unavailable', 'ok', 'slow'];
const REMEMBERED = 100;

/**
 * Starts the server on a free port; it does not keep this process alive.
 * @param {readonly Behaviour[]} [turns] how it answers one call after the other, again and again
 * @returns {Promise<OrderServer>}
 */
export async function startOrderServer(turns = TURNS) {
  const { server, answered } = makeOrderServer(turns);
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${address.port}`, answered, stop };
}

/** @param {readonly Behaviour[]} turns */
function makeOrderServer(turns) {
  /** @type {Answered[]} */
  const answered = [];
  let calls = 0;
  const server = createServer((request, response) => {
    const behaviour = turns[calls++ % turns.length] ?? 'ok';
    answered.push({ idempotencyKey: String(request.headers['idempotency-key'] ?? ''), behaviour });
    if (answered.length > REMEMBERED) answered.shift();
    BEHAVIOURS[behaviour](new URL(request.url ?? '/', 'http://localhost'), response);
  });
  return { server, answered };
}

/**
 * One order every five seconds; its id comes from its time, so the same question always has the same answer.
 * @param {URL} request
 * @param {import('node:http').ServerResponse} response
 */
function sendOrders(request, response) {
  const [from, to] = ['from', 'to'].map((name) => Date.parse(request.searchParams.get(name) ?? ''));
  if (from === undefined || to === undefined || !(from <= to)) {
    response.writeHead(400).end();
    return;
  }
  const orders = [];
  for (let at = Math.ceil(from / ORDERS_EVERY_MS) * ORDERS_EVERY_MS; at < to; at += ORDERS_EVERY_MS) {
    orders.push({
      id: `web-${at / 1_000}`,
      placedAt: new Date(at).toISOString(),
      amountCents: 500 + (((at / 1_000) * 7_919) % 9_500),
    });
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(orders));
}

await runIfStarted(import.meta.url, () => {
  const { HOST = '127.0.0.1', PORT = '4000' } = process.env;
  makeOrderServer(TURNS).server.listen(Number(PORT), HOST);
});
