import { ToolkitError } from '@x/core'

/**
 * Thrown when data is not a chat store, or names a different class of chat stores. Pass the JSON that a chat store of this class wrote,
 * or read it with the class that the data names.
 */
export class ChatStoreError extends ToolkitError {
  constructor(message: string) {
    super('ChatStoreError', 'chat_store', message)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    chat_store: ChatStoreError
  }
}
