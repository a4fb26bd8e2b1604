import { ToolkitError } from '../errors.ts'

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
