/** Tool outputs in the form of the cases. */
import { QueryResponse } from '@x/agents'
import { type Dict, ToolOutput } from '@x/core-model'
import { anything, argument, type Read, shape, string } from '../reader.ts'

export const toolOutput = shape({
  tool_name: string,
  content: string,
  raw_input: argument<Dict | undefined>(),
  raw_output: anything,
  is_error: argument<boolean | undefined>(),
})

export function toolOutputOf(record: Read<typeof toolOutput>): ToolOutput {
  const { tool_name: toolName, content, raw_input: rawInput, raw_output: rawOutput, is_error: isError } = record
  return new ToolOutput({ toolName, content, rawInput, rawOutput, ...(isError !== undefined && { isError }) })
}

/** `is_error` is listed only when it is true. */
export function toolOutputForm({ toolName, content, rawInput, rawOutput, isError }: ToolOutput): Dict {
  const raw = rawOutput instanceof QueryResponse ? { $response: rawOutput.response } : rawOutput
  return { tool_name: toolName, content, raw_input: rawInput, raw_output: raw, ...(isError && { is_error: true }) }
}
