const MAX_CELL = 60;
const GAP = '  ';

/** Rows below a heading, each column as wide as its widest cell; no line for a table without rows. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const cut = [heading, ...rows].map((row) => row.map(cell));
  const widths = heading.map((_, column) => Math.max(...cut.map((row) => row[column]?.length ?? 0)));
  return cut.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** One line, and not without end. */
function cell(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > MAX_CELL ? `${line.slice(0, MAX_CELL - 1)}…` : line;
}

/** How long ago or how long something is, in its two greatest units: `3d 4h`, `12m`, `5s`. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0s';
  return parts
    .slice(first, first + 2)
    .flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : []))
    .join(' ');
}

/** An instant to the second, in UTC. */
export const instantText = (at: Date | null): string =>
  at === null ? '-' : at.toISOString().replace(/\.\d{3}Z$/, 'Z');
