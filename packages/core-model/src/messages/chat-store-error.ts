import { ToolkitError } from '@x/core'

/** Thrown when data is not a chat store, or names a different class of chat stores. */
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
