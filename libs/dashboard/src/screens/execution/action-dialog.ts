import type { ExecutionDetail } from '../../api/answers.js';

export interface ExecutionActionsProps {
  readonly of: ExecutionDetail;
  /** Something was done to it. */
  readonly onDone: () => void;
}

/** A dialog about one execution. */
export interface ActionDialogProps extends ExecutionActionsProps {
  readonly onClose: () => void;
}
