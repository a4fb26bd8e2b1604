import { ToolkitError } from '@x/core'

/** Thrown when other writers changed, each time, what a transaction had read. Try again later, or read less in a transaction. */
export class RedisConflictError extends ToolkitError {
  constructor(attempts: number) {
    super(
      'RedisConflictError',
      'redis_conflict',
      `RedisKeyValueStore.transaction: other writers changed what it read, ${attempts} times in a row.`,
    )
  }

  override get retryable(): boolean {
    return true
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    redis_conflict: RedisConflictError
  }
}
