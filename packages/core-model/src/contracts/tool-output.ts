import { type ToolOutputFields, type ToolOutputOptions, toolOutputSpec } from '../generated/models.ts'
import { Model } from '../model/model.ts'

export interface ToolOutput extends ToolOutputFields {}

/** What a tool answered. */
export class ToolOutput extends Model {
  constructor(options: ToolOutputOptions) {
    super(options)
  }

  static override spec() {
    return toolOutputSpec
  }

  /** The answer as text. */
  override toString(): string {
    return this.content
  }
}
