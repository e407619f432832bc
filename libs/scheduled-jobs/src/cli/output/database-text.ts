/**
 * The database of a URL, for messages: name, server and user, never the password. A URL that only the driver can read is
 * not shown at all.
 */
export function databaseText(url: string): string {
  if (!URL.canParse(url)) return 'the database';
  const { hostname, port, pathname, username } = new URL(url);
  const name = pathname.length > 1 ? ` "${decoded(pathname.slice(1))}"` : '';
  const server = hostname === '' ? '' : ` on ${hostname}:${port === '' ? '5432' : port}`;
  const user = username === '' ? '' : ` as "${decoded(username)}"`;
  return `the database${name}${server}${user}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
