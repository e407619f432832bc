import type { JSX } from 'preact';

/** There is no value here. */
export const Absent = (): JSX.Element => <span class="absent">–</span>;
