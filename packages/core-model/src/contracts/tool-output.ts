import { ToolOutputModel } from '../generated/tool-output.ts'

/** The output of a tool call. */
export class ToolOutput extends ToolOutputModel {
  /** Returns the content. */
  override toString(): string {
    return this.content
  }
}
