/**
 * @module
 * The form in which each message and tool output was read.
 */
import type { Dict, WireLine } from '@x/core'
import { isInstance } from '@x/core'
import type { AnyModel } from '@x/core/reading'
import { ToolOutput } from '../contracts/tool-output.ts'
import { ChatMessage } from '../messages/chat-message.ts'
import { unchangedData } from './unchanged-data.ts'

/** Writes messages and tool outputs as they were read, and everything else in the form of this package: for stores that keep the form of each. */
export const asRead: WireLine = {
  name: 'as read',
  write(dict: Dict, model: AnyModel) {
    const keeps = isInstance(model, ChatMessage) || isInstance(model, ToolOutput)
    return (keeps && unchangedData(model)) || dict
  },
}
