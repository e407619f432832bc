// What alerts stand on: each fact is raised once and none is lost, and secrets of the webhook go nowhere.

const STATEMENTS = 'postgres/statements';
const TEST = 'test/postgres/alerts.test.ts';

/** @type {readonly import('./guards.mjs').Guard[]} */
export const ALERT_GUARDS = [
  {
    promise: 'a fact is raised once, whoever looked first',
    file: 'postgres/migrations/0009-add-alerts-and-instances.ts',
    line: 'create unique index alerts_fact',
    instead: 'create index alerts_fact',
    test: TEST,
    name: 'raises none a second time although a leader lost the row that says up to when was watched',
  },
  {
    promise: 'a failure that becomes known late is not lost',
    file: `${STATEMENTS}/raise-failures.sql.ts`,
    line: 'set watched_until = greatest(w.watched_until, ${NOW} - ${UNSEEN})',
    instead: 'set watched_until = ${NOW}',
    test: TEST,
    name: 'raises one although its end becomes known hours after it was',
  },
  {
    promise: 'one turn raises a bounded number of alerts',
    file: `${STATEMENTS}/raise-failures.sql.ts`,
    line: '  limit $2\n',
    test: TEST,
    name: 'is one of a thousand that are raised a hundred at a time',
  },
  {
    promise: 'the failure of a webhook raises no alert',
    file: `${STATEMENTS}/raise-failures.sql.ts`,
    line: "and e.job_name <> '${WEBHOOK_JOB}'",
    test: TEST,
    name: 'raises none when it was to deliver an alert',
  },
  {
    promise: 'an alert exists exactly with what delivers it',
    file: 'postgres/alert-store.ts',
    line: 'await this.database.transaction(action, (session) => this.raiseIn(session, rule, request));',
    instead:
      'await this.raiseIn({ query: (text, values = []) => this.database.query(action, text, values) }, rule, request);',
    test: TEST,
    name: 'is not alerted at all when what delivers it cannot be written',
  },
  {
    promise: 'a level that wavers around its limit is one alert',
    file: `${STATEMENTS}/raise-dead-letter-ratios.sql.ts`,
    line: 'g.failed <= $3::float8 * ${CLOSES_BELOW} * g.due',
    instead: 'g.failed <= $3::float8 * g.due',
    test: TEST,
    name: 'opens one alert, closes it well below the limit, and opens another one',
  },
  {
    promise: 'periods are judged up to the cursor, behind which all are on record',
    file: `${STATEMENTS}/raise-missed-periods.sql.ts`,
    line: 'least(s.cursor_at, ${NOW} - g.within) as until',
    instead: '${NOW} - g.within as until',
    test: 'test/postgres/missed-periods.test.ts',
    name: 'raises another alert for each one that is missed later',
  },
  {
    promise: 'an alert is told before it is noted as told',
    file: 'engine/alerter.ts',
    line: "this.emit({ type: 'alert.raised', alert });",
    instead: "await store.announced(alert.alertId);\n    this.emit({ type: 'alert.raised', alert });",
    test: 'test/engine/alerter.test.ts',
    name: 'notes that an alert was announced only afterwards',
  },
  {
    promise: 'a process that closes is known to have stopped',
    file: 'nest/scheduled-jobs.lifecycle.ts',
    line: '    await presence.leave();\n',
    test: 'test/nest/alerts.test.ts',
    name: 'are known to have stopped as soon as they have',
  },
  {
    promise: 'a webhook hands its headers to nobody else',
    file: 'engine/webhook-delivery.ts',
    line: "redirect: 'manual',",
    test: 'libs/scheduled-jobs/src/engine/webhook-delivery.test.ts',
    name: 'does not follow the redirect',
  },
];
