import { render } from 'preact';
import { followHints } from './api/hints.js';
import { followSession } from './api/session.js';
import { App } from './shell/app.js';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/table.css';
import './styles/parts.css';
import './styles/execution.css';
import './styles/overview.css';
import './styles/periods.css';
import './styles/job.css';

const root = document.getElementById('app');
if (root !== null) {
  followHints();
  followSession();
  render(<App />, root);
}
