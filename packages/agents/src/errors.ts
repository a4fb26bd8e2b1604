/**
 * @module
 * The classes of errors. Programs need only their codes: `isToolkitError(error, 'task_busy')`. Entry `@x/agents/errors`.
 */
export {
  AbortError,
  ConversationBusyError,
  DeadlineExceededError,
  TextRestartedError,
} from './agent-error.ts'
export {
  BudgetExceededError,
  CutAnswerError,
  GuardBlockedError,
  InvalidAgentOutputError,
  InvalidOutputError,
  MaxIterationsError,
  RepeatedFailureError,
} from './loop/loop-errors.ts'
export {
  ApprovalError,
  ApprovalRequiredError,
  InvalidStepError,
  MultipleFinalStepsError,
  NoCompletedStepError,
  NothingToUndoError,
  NoUpcomingStepError,
  SavedTaskError,
  StepNotFoundError,
  StepNotLastError,
  StepNotReadyError,
  TaskAlreadyExistsError,
  TaskBusyError,
  TaskClaimedError,
  TaskFinalizedError,
  TaskNotFoundError,
} from './task/task-errors.ts'
export {
  ReActParseError,
  ToolArgumentsError,
  ToolExecutionError,
  ToolInputError,
  ToolNameError,
  ToolNotFoundError,
  ToolSchemaError,
  ToolTimeoutError,
} from './tool/tool-errors.ts'
