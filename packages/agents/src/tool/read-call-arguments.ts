/**
 * @module
 * Reads the arguments of a tool call, also those that are not quite JSON.
 */
import { compactJson } from '@x/core/values'
import type { ToolCall } from '../task/agent-event.ts'
import { readArguments } from './read-arguments.ts'
import { ToolInputError } from './tool-errors.ts'

/** Returns the arguments as an object. Some models write an empty string for no arguments. */
export function readCallArguments(call: ToolCall): Record<string, unknown> {
  const given: unknown = call.arguments
  // In an array, the parser would find the first object.
  if (typeof given === 'string' && !/^\s*\[/.test(given)) return given.trim() === '' ? {} : readArguments(given).value
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>
  throw new ToolInputError(call.name, [{ path: '', message: `expected an object, received ${compactJson(given)}` }])
}
