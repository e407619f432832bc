import type { JSX } from 'preact';
import { session } from '../api/session.js';
import { Link } from '../router/link.js';
import { path } from '../router/router.js';
import { PLACES, type Place } from './places.js';

/** The places of the dashboard; the one that is shown is marked. */
export function Navigation(): JSX.Element {
  return (
    <header class="side">
      <Link to="/" class="brand">
        <svg class="brand-mark" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M1 1h6v6H1zM9 1h6v6H9zM1 9h6v6H1z" />
          <path class="hole" d="M9.75 9.75h4.5v4.5h-4.5z" />
        </svg>
        <span>Scheduled jobs</span>
      </Link>
      <nav aria-label="Main">
        <ul class="places">
          {PLACES.map((place) => (
            <li key={place.to}>
              <Link to={place.to} class="place" aria-current={isHere(place) ? 'page' : undefined}>
                <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
                  {place.icon}
                </svg>
                <span>{place.text}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <WhoLooks />
    </header>
  );
}

function WhoLooks(): JSX.Element | null {
  if (session.value === null) return null;
  const { actor, version } = session.value;
  return (
    <p class="who muted">
      {actor !== null && <span title="Who you are for the application">{actor}</span>}
      <span title="Version of the package">{version}</span>
    </p>
  );
}

function isHere({ to }: Place): boolean {
  const here = path.value;
  return to === '/' ? here === '/' : here === to || here.startsWith(`${to}/`);
}
