import type { JSX } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import type { Page, Schedule } from '../api/answers.js';
import { useResource } from '../api/resource.js';
import { Link } from '../router/link.js';
import { matchRoute, type RouteParams } from '../router/route.js';
import { path } from '../router/router.js';
import type { Screen } from '../screens/screen.js';
import { SCREENS } from '../screens/screens.js';
import { noteSchedules } from '../time/zone.js';
import { Announcements } from '../ui/announce.js';
import { Nothing } from '../ui/answer.js';
import { entitle } from './entitle.js';
import { Heading } from './heading.js';
import { Navigation } from './navigation.js';
import { OutageBanner } from './outage-banner.js';
import { TopBar } from './top-bar.js';

const ZONES_CHANGE_SELDOM_MS = 60_000;

/** The frame around every screen, and the screen that the address names. */
export function App(): JSX.Element {
  const main = useRef<HTMLElement>(null);
  const schedules = useResource<Pick<Page<Schedule>, 'items'>>('/schedules', {
    pollMs: ZONES_CHANGE_SELDOM_MS,
    concerns: () => false,
  }).state.value.data;
  useEffect(() => noteSchedules(schedules?.items ?? []), [schedules]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Navigation />
      <div class="page">
        <TopBar />
        <main ref={main} tabIndex={-1}>
          <OutageBanner />
          <CurrentScreen key={path.value} />
        </main>
      </div>
      <Announcements />
    </>
  );
}

function CurrentScreen(): JSX.Element {
  const [error] = useErrorBoundary((thrown) => console.error(thrown));
  const found = screenAt(path.value);
  useEffect(() => {
    entitle(found?.screen.title(found.params) ?? 'Not here');
  }, [found?.screen, path.value]);
  if (error !== undefined) return <Broken />;
  if (found === null) return <NotHere />;
  const { component: Component } = found.screen;
  return <Component params={found.params} />;
}

function screenAt(at: string): { readonly screen: Screen; readonly params: RouteParams } | null {
  for (const screen of SCREENS) {
    const params = matchRoute(screen.pattern, at);
    if (params !== null) return { screen, params };
  }
  return null;
}

const NotHere = (): JSX.Element => (
  <>
    <Heading title="There is nothing at this address" />
    <Nothing title="No screen has this address.">
      <Link to="/">Go to the start</Link>
    </Nothing>
  </>
);

const Broken = (): JSX.Element => (
  <>
    <Heading title="This screen has failed" />
    <Nothing title="That is a defect of the dashboard.">
      Reload the page. If it fails again, the browser's console shows what to report; the REST API and the commands tell
      the same facts meanwhile.
    </Nothing>
  </>
);
