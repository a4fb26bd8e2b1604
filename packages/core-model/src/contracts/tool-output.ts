import { type ToolOutputFields, type ToolOutputOptions, toolOutputSpec } from '../generated/models.ts'
import { Model } from '../model/model.ts'

export interface ToolOutput extends ToolOutputFields {}

/** The output of a tool call. */
export class ToolOutput extends Model {
  constructor(options: ToolOutputOptions) {
    super(options)
  }

  static override spec() {
    return toolOutputSpec
  }

  /** Returns the content. */
  override toString(): string {
    return this.content
  }
}
