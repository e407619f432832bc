import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { nextCell } from './next-cell.js';

/** Marks a cell for `CellField`: its place, so that the arrows find the next one. */
export const placed = (row: number, column: number) => ({ 'data-row': row, 'data-column': column, tabIndex: -1 });

const CELLS = '[data-row]';
const GAP_PX = 6;

/**
 * Around many cells: one of them is in the order of Tab, the arrows lead to the others, and the name of the one that has the focus or
 * the pointer is shown beside it.
 */
export function CellField({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const field = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (field.current === null || tip.current === null) return;
    listen(field.current, tip.current);
    // where there is no room for all, the newest are in sight
    for (const frame of field.current.querySelectorAll('.grid-frame')) frame.scrollLeft = frame.scrollWidth;
  }, []);
  useEffect(() => {
    const all = cellsOf(field.current);
    if (!all.some(({ tabIndex }) => tabIndex === 0)) enter(all, all.at(-1));
  });
  return (
    <div ref={field} role="group" aria-label="Periods, by the arrow keys">
      {children}
      <div ref={tip} class="tip" role="tooltip" hidden />
    </div>
  );
}

/** Both elements come and go together, so nothing has to be taken away. */
function listen(field: HTMLElement, tip: HTMLElement): void {
  const hide = (): void => tell(tip, null);
  field.addEventListener('pointerover', ({ target }) => tell(tip, cellAt(target)));
  field.addEventListener('pointerleave', hide);
  field.addEventListener('focusin', ({ target }) => {
    enter(cellsOf(field), cellAt(target) ?? undefined);
    tell(tip, cellAt(target));
  });
  field.addEventListener('focusout', hide);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
    const cell = moved(cellsOf(field), event);
    if (cell === null) return;
    event.preventDefault();
    cell.focus();
  });
}

type CellElement = HTMLElement | SVGElement;

const cellsOf = (field: HTMLElement | null): readonly CellElement[] => [
  ...(field?.querySelectorAll<CellElement>(CELLS) ?? []),
];

const cellAt = (target: EventTarget | null): CellElement | null =>
  target instanceof Element ? target.closest<CellElement>(CELLS) : null;

function enter(all: readonly CellElement[], cell: CellElement | undefined): void {
  if (cell === undefined) return;
  for (const each of all) if (each.tabIndex === 0) each.tabIndex = -1;
  cell.tabIndex = 0;
}

function moved(all: readonly CellElement[], { target, key }: KeyboardEvent): CellElement | null {
  const from = cellAt(target);
  if (from === null) return null;
  const places = all.map(({ dataset }) => ({ row: Number(dataset['row']), column: Number(dataset['column']) }));
  return all[nextCell(places, all.indexOf(from), key) ?? -1] ?? null;
}

/** Below the cell, or above it where there is no room; never beside the window. */
function tell(tip: HTMLElement, cell: CellElement | null): void {
  tip.hidden = cell === null;
  if (cell === null) return;
  tip.textContent = cell.getAttribute('aria-label');
  const at = cell.getBoundingClientRect();
  const below = at.bottom + GAP_PX;
  const isBelow = below + tip.offsetHeight < innerHeight;
  const most = document.documentElement.clientWidth - tip.offsetWidth - GAP_PX;
  tip.style.top = `${isBelow ? below : at.top - GAP_PX - tip.offsetHeight}px`;
  tip.style.left = `${Math.max(GAP_PX, Math.min(at.left + at.width / 2 - tip.offsetWidth / 2, most))}px`;
}
