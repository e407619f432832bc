// The two APIs of the demo, as a user calls them.

export class ApiClient {
  #headers;

  /**
   * @param {string} baseUrl such as `http://127.0.0.1:3000`
   * @param {string} token
   */
  constructor(baseUrl, token) {
    this.baseUrl = baseUrl;
    this.#headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  }

  /**
   * @param {{ readonly projectId: string, readonly version: number }} request
   * @returns {Promise<{ readonly created: boolean, readonly execution: { readonly executionId: string } }>}
   */
  requestExport(request) {
    return this.#call('/exports', { method: 'POST', body: JSON.stringify(request) });
  }

  /**
   * What operators do, by the jobs' own API.
   * @param {string} action such as `/jobs/points/pause`
   * @param {{ readonly reason: string } & Record<string, unknown>} body
   */
  operate(action, body) {
    return this.#call(`/scheduled-jobs/api${action}`, { method: 'POST', body: JSON.stringify(body) });
  }

  /** @returns {Promise<import('sample-jobs').PointsReport>} */
  pointsBalance() {
    return this.#call('/points/balance');
  }

  /**
   * @param {string} path
   * @param {RequestInit} [init]
   */
  async #call(path, init) {
    const response = await fetch(new URL(path, this.baseUrl), { ...init, headers: this.#headers });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return /** @type {any} */ (await response.json());
  }
}
