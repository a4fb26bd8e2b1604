import { ToolkitError } from '@x/core'

/** Thrown when a stream is requested although an output parser needs the whole answer. */
export class StreamingParserError extends ToolkitError {
  constructor() {
    super(
      'StreamingParserError',
      'streaming_parser',
      'LLM.stream: an output parser needs the whole answer; use predict.',
    )
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    streaming_parser: StreamingParserError
  }
}
