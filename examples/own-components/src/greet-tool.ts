import { type AsyncBaseTool, type ToolCallContext, ToolMetadata } from '@x/agents'
import { ToolOutput } from '@x/core-model'

/** The context that the tool requires of a run. */
export interface Session {
  user: string
}

/** A tool that greets the user of the run. Agents that have it require the user. */
export class GreetTool implements AsyncBaseTool {
  readonly takesArguments = true
  readonly metadata = new ToolMetadata({ name: 'greet', description: 'Greets the user.', fnSchema: { type: 'object' } })

  call(args: Record<string, unknown>, { context }: Partial<ToolCallContext<Session>> = {}): ToolOutput {
    if (!context) throw new TypeError('greet: the run has no context.')
    const content = `Hello ${context.user}!`
    return new ToolOutput({ toolName: 'greet', content, rawInput: args, rawOutput: content })
  }
}
