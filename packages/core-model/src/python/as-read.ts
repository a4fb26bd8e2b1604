/**
 * @module
 * The form in which each message and tool output was read.
 */
import { type Dict, isInstance, type WireLine } from '@x/core'
import type { AnyModel, AnyModelClass } from '@x/core/reading'
import { deepCopy, deepEqual } from '@x/core/values'
import { ToolOutput } from '../contracts/tool-output.ts'
import { ChatMessage } from '../messages/chat-message.ts'

/**
 * Writes messages and tool outputs as they were read, and everything else in the form of this package: for stores that keep the form of
 * each.
 */
export const asRead: WireLine = {
  name: 'as read',
  write(dict: Dict, model: AnyModel) {
    const keeps = isInstance(model, ChatMessage) || isInstance(model, ToolOutput)
    return (keeps && unchangedData(model)) || dict
  },
}

/**
 * Returns a copy of the data that a model was read from, if the model still says the same; null otherwise, and for data in the form of this
 * package. An embedding may have changed: vectors are stored beside nodes.
 */
export function unchangedData(model: AnyModel): Dict | null {
  const read = (model as { '~read'?: Dict })['~read']
  if (!read) return null
  const { class_name: _, ...data } = read
  const modelClass = model.constructor as unknown as AnyModelClass
  const { embedding, ...dict } = model.toDict()
  try {
    const { embedding: __, ...again } = modelClass.fromDict(data).toDict()
    if (!deepEqual(again, dict)) return null
  } catch {
    // The data needs classes of a registry.
    return null
  }
  const copy = deepCopy(read)
  return embedding === undefined ? copy : { ...copy, embedding }
}
