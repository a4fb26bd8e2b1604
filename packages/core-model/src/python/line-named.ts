/**
 * @module
 * Nodes, messages and tool outputs in the form of a release by its name, in Node, Deno and Bun: `#python-line` of the manifest. It imports
 * no class, because the classes import it.
 */
import type { Dict } from '@x/core'
import type { AnyModel } from '@x/core/reading'
import type { TextNode } from '../nodes/text-node.ts'
import { messageInForm, outputInForm } from './message-line.ts'
import { nodeInForm } from './node-line.ts'
import { formOf } from './releases.ts'

/** Returns a node in the form of a release. @throws {ModelValidationError} if the name is not that of a release from 0.10 on. */
export function nodeInRelease(dict: Dict, node: AnyModel, name: string): Dict {
  return nodeInForm(dict, node as unknown as TextNode, formOf(name))
}

/** Returns a message in the form of a release. @throws {ModelValidationError} if the name is not that of a release from 0.10 on. */
export function messageInRelease(dict: Dict, message: AnyModel, name: string): Dict {
  return messageInForm(dict, message, formOf(name))
}

/** Returns a tool output in the form of a release. @throws {ModelValidationError} if the name is not that of a release from 0.10 on. */
export function outputInRelease(dict: Dict, output: AnyModel, name: string): Dict {
  return outputInForm(dict, output, formOf(name))
}
