/**
 * @module
 * The description of a tool for a model, and the check of its arguments for tools that have none.
 */
import { SchemaToolMetadata } from './plain-tool-metadata.ts'
import type { ToolCheck } from './standard-check.ts'
import { toolCheck } from './tool-check.ts'

/**
 * Name, description and argument schema of a tool, in the forms that models accept.
 * @example
 * const metadata = new ToolMetadata({ name: 'echo', description: 'Repeats the text.' })
 * metadata.fnSchemaStr
 * // => '{"type":"object","properties":{"input":{"title":"Input","type":"string"}},"required":["input"]}'
 */
export class ToolMetadata<Name extends string = string> extends SchemaToolMetadata<Name> {
  /** Checks the arguments of calls that somebody is asked about, if the tool itself has no check. @internal */
  get '~check'(): ToolCheck {
    return toolCheck(this.name, this.fnSchema, this.jsonSchema, 'refuse')
  }
}
