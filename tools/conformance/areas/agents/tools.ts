/** Tools and calls of tools. */
import { adaptToAsyncTool, ChatMemoryBuffer, resolveToolChoice, runToolCall, Task, type ToolChoice } from '@x/agents'
import { CallbackManager, type Dict } from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { anything, argument, boolean, list, object, optional, shape, string } from '../../reader.ts'
import { errorName } from '../../script.ts'
import { toolOutputForm } from '../../stand-ins/tool-output.ts'
import { callTool, tool, toolMetadataOf, toolOf } from '../../stand-ins/tools.ts'

/** The value, or the name of the error. */
function attempt(read: () => unknown): Dict {
  try {
    return { value: read() }
  } catch (error) {
    return { throws: true, error: errorName(error) }
  }
}

export const tools: Operations = {
  'ToolMetadata.inspect': operation(shape({ tool }), (given) => {
    const metadata = toolMetadataOf(given.tool)
    return {
      parameters: attempt(() => metadata.getParametersDict()),
      fn_schema_str: attempt(() => metadata.fnSchemaStr),
      openai_tool: attempt(() => metadata.toOpenaiTool()),
      name: attempt(() => metadata.getName()),
    }
  }),

  'Tool.call': operation(
    shape({ tool, kwargs: optional(object), args: optional(list(anything)), adapt: optional(boolean) }),
    async ({ tool: record, kwargs, args = [], adapt = false }) =>
      toolOutputForm(await callTool(toolOf(record), kwargs ?? args[0], adapt)),
  ),

  'FunctionCalling.call_tool': operation(
    shape({ tools: list(tool), name: string, arguments: argument<string>() }),
    async (given) => {
      const known = given.tools.map((record) => adaptToAsyncTool(toolOf(record)))
      const output = await runToolCall({ id: 'call', name: given.name, arguments: given.arguments }, known, {
        callbackManager: new CallbackManager(),
        onToolError: 'observe',
        onUnknownTool: 'observe',
        task: new Task({ input: '', memory: ChatMemoryBuffer.fromDefaults() }),
      })
      return toolOutputForm(output)
    },
  ),

  'FunctionCalling.resolve_tool_choice': operation(shape({ tool_choice: argument<ToolChoice>() }), (given) =>
    resolveToolChoice(given.tool_choice),
  ),
}
