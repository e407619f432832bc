import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts Chromium: the one of `CHROMIUM_PATH`, else the one that npm has installed. Pages need `locale` and `timezoneId`, for
 * the language of a plain environment is none that browsers know.
 */
export async function launchBrowser(): Promise<Browser> {
  const own = process.env['CHROMIUM_PATH'];
  const executablePath = own ?? (await unpacked());
  return chromium.launch({
    executablePath,
    args: ARGS,
    env: {
      ...process.env,
      LANG: 'en_US.UTF-8',
      ...(own === undefined ? { FONTCONFIG_FILE: fontsOf(dirname(executablePath)) } : {}),
    },
  });
}

/** The package unpacks into the temporary folder and takes whatever lies there, of any version and any owner: one of our own. */
async function unpacked(): Promise<string> {
  const folder = join(tmpdir(), `chromium-147.0.0-${process.getuid?.() ?? 'user'}`);
  mkdirSync(folder, { recursive: true });
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    return await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** The package's own list of fonts names another folder; without any font Chromium ends at the first input field. */
function fontsOf(folder: string): string {
  const file = join(folder, 'fonts.conf');
  const folders = [join(folder, 'fonts'), '/usr/share/fonts'].map((each) => `<dir>${each}</dir>`).join('');
  const cache = `<cachedir>${join(folder, 'font-cache')}</cachedir>`;
  writeFileSync(
    file,
    `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>${folders}${cache}</fontconfig>\n`,
  );
  return file;
}
