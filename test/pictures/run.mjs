// Makes the pictures of the dashboard in docs/images anew, of a shop that has lived for five weeks by a clock of its own.
//   npm run pictures
import { build } from '../../scripts/build.mjs';
import { ensureInstalled } from '../../scripts/ensure-install.mjs';
import { onStopRequest } from '../../scripts/stop-request.mjs';
import { runTool } from '../../scripts/tools.mjs';

await ensureInstalled();
await build();
process.env['PICTURES'] = 'make'; // else they belong to no project, and no other run makes them
const stopRequest = new AbortController();
onStopRequest(() => stopRequest.abort());
const { exitCode } = await runTool('vitest', ['run', '--project', 'pictures'], {
  show: true,
  signal: stopRequest.signal,
});
process.exitCode = exitCode;
