// Plays the users of a judged demo: asks for an export now and then, each time twice at once, from different APIs.

const EVERY_MS = 10_000;

export class ExportRequests {
  #apis;
  #projectId;
  /** @type {Set<string>} */
  #keys = new Set();
  /** @type {string[]} */
  #problems = [];
  /** @type {Promise<unknown>} */
  #answered = Promise.resolve();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #version = 0;

  /**
   * @param {readonly import('./api-client.mjs').ApiClient[]} apis
   * @param {string} projectId one that no earlier demo has used
   */
  constructor(apis, projectId) {
    this.#apis = apis;
    this.#projectId = projectId;
  }

  /** The keys of all executions that were asked for. */
  get keys() {
    return [...this.#keys];
  }

  get problems() {
    return this.#problems;
  }

  start() {
    this.#ask();
    this.#timer = setInterval(() => this.#ask(), EVERY_MS);
  }

  /** Resolves when all requests are answered. */
  async stop() {
    clearInterval(this.#timer);
    await this.#answered;
  }

  #ask() {
    const request = { projectId: this.#projectId, version: ++this.#version };
    this.#answered = Promise.all([this.#answered, this.#request(request)]);
  }

  /** @param {{ readonly projectId: string, readonly version: number }} request */
  async #request(request) {
    const key = `export-pdf:${request.projectId}:${request.version}`;
    this.#keys.add(key);
    try {
      const answers = await Promise.all(this.#apis.map((api) => api.requestExport(request)));
      const executions = new Set(answers.map(({ execution }) => execution.executionId)).size;
      const made = answers.filter(({ created }) => created).length;
      if (executions === 1 && made === 1) return;
      this.#problems.push(`${key}: asked ${answers.length} times, ${executions} executions, ${made} of them new`);
    } catch (error) {
      this.#problems.push(`${key}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
