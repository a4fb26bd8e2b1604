/**
 * @module
 * The records of the engine, as JSON with integers of any size. A Restate server refuses records above a limit, and repeats the invocation
 * forever; therefore their size is checked before.
 */
import { readJsonText, ToolkitError, writeJsonText } from '@x/core-model'

/** The most bytes of one result, one state or one answer: less than the 32 MiB of a server, which adds a header. */
const MAX_BYTES = 30_000_000

const encoder = /* @__PURE__ */ new TextEncoder()
const decoder = /* @__PURE__ */ new TextDecoder()

/** Thrown when a result, the state of a task or an answer is larger than Restate can record. The run ends. */
export class ResultTooLargeError extends ToolkitError {
  /** Never reported to a model as the failure of a tool. */
  readonly fatal = true

  constructor(what: string, bytes: number) {
    super(
      'ResultTooLargeError',
      'result_too_large',
      `${what} has ${(bytes / 1e6).toFixed(1)} MB as JSON; Restate records at most ${MAX_BYTES / 1e6} MB. Return less from the tools, such as a reference to stored data.`,
    )
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    result_too_large: ResultTooLargeError
  }
}

/**
 * Returns data as JSON in UTF-8.
 * @param what - names the data in the error.
 * @throws {ResultTooLargeError}
 */
export function writeRecord(what: string, data: unknown): Uint8Array {
  const bytes = encoder.encode(writeJsonText(data))
  if (bytes.length > MAX_BYTES) throw new ResultTooLargeError(what, bytes.length)
  return bytes
}

/** Reads what {@link writeRecord} has written. */
export function readRecord(bytes: Uint8Array): unknown {
  return readJsonText(decoder.decode(bytes))
}
