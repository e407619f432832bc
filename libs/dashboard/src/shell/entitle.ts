/** Names the page in its tab and in the browser's history. */
export function entitle(title: string): void {
  document.title = `${title} · Scheduled jobs`;
}
