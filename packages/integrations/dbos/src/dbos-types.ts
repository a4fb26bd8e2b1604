/**
 * @module
 * Structural types of the parts of DBOS that this package uses. `DBOS` and `DBOSClient` of `@dbos-inc/dbos-sdk` satisfy them.
 */

/** A workflow, as DBOS describes it. */
export interface DbosWorkflow {
  readonly workflowID: string
  readonly status: string
  readonly queueName?: string
  readonly queuePartitionKey?: string
  readonly executorId?: string
  readonly applicationVersion?: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt?: number
  readonly input?: readonly unknown[]
  readonly output?: unknown
  readonly error?: unknown
}

/** The state of a workflow. */
export type DbosState =
  | 'ENQUEUED'
  | 'DELAYED'
  | 'PENDING'
  | 'SUCCESS'
  | 'ERROR'
  | 'CANCELLED'
  | 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'

/** A filter for workflows, and which of their data is loaded. */
export interface DbosWorkflowFilter {
  workflow_id_prefix?: string
  workflowIDs?: string[]
  workflowName?: string
  status?: DbosState | DbosState[]
  /** Those that the workflows have, among others. */
  attributes?: Record<string, unknown>
  isFork?: boolean
  loadInput: boolean
  loadOutput: boolean
  limit?: number
  offset?: number
}

/** A step of a workflow that has been recorded. */
export interface DbosStep {
  readonly functionID: number
  readonly name: string
  readonly output: unknown
  readonly error: unknown
  readonly startedAtEpochMs?: number
  readonly completedAtEpochMs?: number
}

/** Options for putting a workflow into a queue. */
export interface DbosEnqueueOptions {
  queueName: string
  workflowName: string
  workflowID?: string
  workflowIDReusePolicy?: 'reject'
  appVersion?: string
  priority?: number
  queuePartitionKey?: string
  delaySeconds?: number
  attributes?: Record<string, unknown>
}

/** A workflow that was started. */
interface DbosHandle {
  readonly workflowID: string
  getStatus(): Promise<DbosWorkflow | null>
  getResult(options?: { pollingIntervalMs?: number }): Promise<unknown>
}

/** The operations on workflows that both `DBOS` and `DBOSClient` have. */
interface DbosCommon {
  send(workflowID: string, message: unknown, topic?: string, idempotencyKey?: string): Promise<void>
  getEvent<T>(workflowID: string, key: string, options?: { timeoutSeconds?: number }): Promise<T | null>
  readStream<T>(
    workflowID: string,
    key: string,
    options?: { offset?: number; pollingIntervalMs?: number },
  ): AsyncGenerator<T>
  retrieveWorkflow(workflowID: string): DbosHandle
  listWorkflows(filter: DbosWorkflowFilter): Promise<readonly DbosWorkflow[]>
  listWorkflowSteps(workflowID: string): Promise<readonly DbosStep[] | undefined>
  cancelWorkflow(workflowID: string): Promise<void>
  deleteWorkflows(workflowIDs: string[]): Promise<void>
  retrieveQueue(name: string): Promise<object | null>
  forkWorkflow(
    workflowID: string,
    startStep: number,
    options?: { newWorkflowID?: string; applicationVersion?: string; queueName?: string },
  ): Promise<unknown>
  rewindWorkflow(
    workflowID: string,
    options?: { startStep?: number; applicationVersion?: string; queueName?: string; queuePartitionKey?: string },
  ): Promise<unknown>
}

/** `DBOS` in a worker or a server that has launched it, or a `DBOSClient` anywhere else. */
export type DbosControl = DbosCommon &
  (
    | { enqueue(options: DbosEnqueueOptions, ...args: unknown[]): Promise<DbosHandle> }
    | { enqueueWorkflowWithOptions(options: DbosEnqueueOptions, ...args: unknown[]): Promise<DbosHandle> }
  )

/** The operations of `DBOS` within workflows. */
export interface DbosRuntime {
  readonly workflowID: string | undefined
  readonly stepID: number | undefined
  readonly stepStatus: { readonly cancelSignal?: AbortSignal | undefined } | undefined
  isInStep(): boolean
  registerWorkflow<Args extends unknown[], Result>(
    work: (...args: Args) => Promise<Result>,
    config?: { name?: string; maxRecoveryAttempts?: number },
  ): (...args: Args) => Promise<Result>
  runStep<T>(work: () => Promise<T>, config?: { name?: string }): Promise<T>
  setEvent(key: string, value: unknown): Promise<void>
  recv<T>(topic?: string, options?: { timeoutSeconds?: number }): Promise<T | null>
  listWorkflows(filter: DbosWorkflowFilter): Promise<readonly DbosWorkflow[]>
  writeStream(key: string, value: unknown): Promise<void>
}

/** The operations of `DBOS` to take over the workflows of other workers. */
export interface DbosTakeover {
  readonly executorID: string
  listWorkflows(filter: { status: 'PENDING'; executorId: string[]; loadInput: false }): Promise<readonly DbosWorkflow[]>
  resumeWorkflows(workflowIDs: string[], options?: { queueName?: string }): Promise<unknown>
  cancelWorkflows(workflowIDs: string[]): Promise<void>
  listWorkflowSteps(workflowID: string): Promise<readonly { readonly name: string }[] | undefined>
}
