import type { JobDetail } from '../../api/answers.js';

export interface JobActionsProps {
  readonly of: JobDetail;
  /** Something was done to it. */
  readonly onDone: () => void;
}

/** A dialog about one job. */
export interface JobDialogProps extends JobActionsProps {
  readonly onClose: () => void;
}
