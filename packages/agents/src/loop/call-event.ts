/**
 * @module
 * The events of a tool call.
 */
import { jsonCopy, type StepEvent, type ToolCall } from '../task/agent-event.ts'

/** Returns the event of a call that is about to run. @param read - reads its arguments. */
export function toolCallEvent(call: ToolCall, read: (call: ToolCall) => Record<string, unknown>): StepEvent {
  const start = { type: 'tool_call' as const, callId: call.id, toolName: call.name }
  try {
    return { ...start, arguments: jsonCopy(read(call)) }
  } catch {
    return { ...start, arguments: {}, invalidArguments: String(call.arguments) }
  }
}

/** Returns the event of a running tool that reports its progress. */
export function progressEvent(call: ToolCall, progress: unknown): StepEvent {
  return { type: 'tool_progress', callId: call.id, toolName: call.name, progress: jsonCopy(progress) }
}
