/** What the parent may ask for. */
export async function answerCommand(command, { stores, tell }) {
  if (command.type !== 'enqueue') return;
  const inserts = Array.from({ length: command.times }, () =>
    stores.executions.insert([command.execution], { tx: null, now: null }),
  );
  const answers = (await Promise.all(inserts)).flat();
  tell({
    type: 'enqueued',
    created: answers.filter(({ created }) => created).length,
    executionIds: [...new Set(answers.map(({ executionId }) => executionId))],
  });
}
