import { type AsyncBaseTool, ToolMetadata } from '@x/agents'
import { ToolOutput } from '@x/core-model'

/** A tool that looks words up in a table. */
export class LookupTool implements AsyncBaseTool {
  readonly takesArguments = true
  readonly metadata = new ToolMetadata({
    name: 'lookup',
    description: 'Returns the meaning of a word.',
    fnSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  })
  private readonly table: Readonly<Record<string, string>>

  constructor(table: Readonly<Record<string, string>>) {
    this.table = table
  }

  call(args: Record<string, unknown>): ToolOutput {
    const word = String(args['word'])
    const content = this.table[word] ?? `There is no entry for ${word}.`
    return new ToolOutput({ toolName: 'lookup', content, rawInput: args, rawOutput: content })
  }
}
