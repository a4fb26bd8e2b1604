import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

/** Something cannot be migrated. Neither the source nor the target was changed. */
export class MigrateError extends ToolkitError {
  constructor(reason: string, options?: ToolkitErrorOptions) {
    super('MigrateError', 'migrate', `${reason}.`, options)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    migrate: MigrateError
  }
}
