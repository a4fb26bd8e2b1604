/** Tools and calls of tools. */
import { ChatMemoryBuffer, Task, type ToolChoice } from '@x/agents'
import { adaptToAsyncTool, resolveToolChoice, runToolCall } from '@x/agents/protocol'
import { CallbackManager, type Dict } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { errorName } from '../../script.ts'
import { toolOutputForm } from '../../stand-ins/tool-output.ts'
import { callTool, type ToolRecord, toolMetadataOf, toolOf, toolsOf } from '../../stand-ins/tools.ts'

/** The value, or the name of the error. */
function attempt(read: () => unknown): Dict {
  try {
    return { value: read() }
  } catch (error) {
    return { throws: true, error: errorName(error) }
  }
}

interface OfTool {
  tool: ToolRecord
  kwargs?: Dict
  args?: unknown[]
  adapt?: boolean
}

interface OfCall {
  tools: ToolRecord[]
  name: string
  arguments: string
}

export const tools: Operations = {
  'ToolMetadata.inspect': ({ tool }: OfTool) => {
    const metadata = toolMetadataOf(tool)
    return {
      parameters: attempt(() => metadata.getParametersDict()),
      fn_schema_str: attempt(() => metadata.fnSchemaStr),
      openai_tool: attempt(() => metadata.toOpenaiTool()),
      name: attempt(() => metadata.getName()),
    }
  },

  'Tool.call': async ({ tool, kwargs, args = [], adapt = false }: OfTool) =>
    toolOutputForm(await callTool(toolOf(tool), kwargs ?? args[0], adapt)),

  'FunctionCalling.call_tool': async (given: OfCall) => {
    const known = toolsOf(given.tools).map((tool) => adaptToAsyncTool(tool))
    const output = await runToolCall({ id: 'call', name: given.name, arguments: given.arguments }, known, {
      callbackManager: new CallbackManager(),
      onToolError: 'observe',
      onUnknownTool: 'observe',
      task: new Task({ input: '', memory: ChatMemoryBuffer.fromDefaults() }),
    })
    return toolOutputForm(output)
  },

  'FunctionCalling.resolve_tool_choice': ({ toolChoice }: { toolChoice: ToolChoice }) => resolveToolChoice(toolChoice),
}
