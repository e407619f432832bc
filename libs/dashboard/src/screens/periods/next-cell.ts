/** Where a cell stands among others. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** Which cell a key leads to from another, by index; null = the key leads nowhere. Up and down keep the column as far as they can. */
export function nextCell(places: readonly CellPlace[], from: number, key: string): number | null {
  const here = places[from];
  if (here === undefined) return null;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const to = from + (key === 'ArrowLeft' ? -1 : 1);
    return places[to]?.row === here.row ? to : null;
  }
  if (key === 'Home') return places.findIndex(({ row }) => row === here.row);
  if (key === 'End') return places.findLastIndex(({ row }) => row === here.row);
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  return nearest(places, here, key === 'ArrowUp' ? -1 : 1);
}

function nearest(places: readonly CellPlace[], here: CellPlace, step: -1 | 1): number | null {
  const rows = places.map(({ row }) => row).filter((row) => (row - here.row) * step > 0);
  if (rows.length === 0) return null;
  const row = step === 1 ? Math.min(...rows) : Math.max(...rows);
  const distance = (index: number): number => Math.abs((places[index]?.column ?? 0) - here.column);
  const inRow = places.flatMap((place, index) => (place.row === row ? [index] : []));
  return inRow.reduce((best, index) => (distance(index) < distance(best) ? index : best));
}
