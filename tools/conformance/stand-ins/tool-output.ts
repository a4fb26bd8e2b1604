/** Tool outputs in the form of the cases. */
import { QueryResponse } from '@x/agents/protocol'
import { type Dict, ToolOutput } from '@x/core-model'
import { apiKeys } from '../given.ts'

export const toolOutputOf = (record: Dict): ToolOutput => new ToolOutput(apiKeys(record))

/** `is_error` is listed only when it is true. */
export function toolOutputForm({ toolName, content, rawInput, rawOutput, isError }: ToolOutput): Dict {
  const raw = rawOutput instanceof QueryResponse ? { $response: rawOutput.response } : rawOutput
  return { tool_name: toolName, content, raw_input: rawInput, raw_output: raw, ...(isError && { is_error: true }) }
}
