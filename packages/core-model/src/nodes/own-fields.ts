/**
 * @module
 * The fields that a custom class adds to a node class of this package.
 */

import type { Dict } from '@x/core'
import type { AnyModel, AnyModelClass } from '@x/core/reading'
import { fieldsOf } from '@x/core/reading'
import { deepEqual } from '@x/core/values'
import { quotedText } from './value-text.ts'

/** The class names of the node classes of this package. */
export const builtInNodes: readonly string[] = [
  'TextNode',
  'ImageNode',
  'IndexNode',
  'Document',
  'ImageDocument',
  'Node',
]

const known = new WeakMap<object, readonly string[]>()

/** Returns the names of the written fields that a class adds. Cached per class. */
function ownFieldsOf(nodeClass: AnyModelClass): readonly string[] {
  let names = known.get(nodeClass)
  if (names === undefined) {
    let base = nodeClass
    while (!builtInNodes.includes(base.className())) base = Object.getPrototypeOf(base)
    const inherited = base.spec().fields
    const own = fieldsOf(nodeClass).filter(({ name, runtime }) => !runtime && !Object.hasOwn(inherited, name))
    names = own.map(({ name }) => name)
    known.set(nodeClass, names)
  }
  return names
}

/** Returns the added fields of a node that differ from their defaults, as a string; empty for the classes of this package. */
export function ownFieldsText(node: AnyModel): string {
  const nodeClass = node.constructor as unknown as AnyModelClass
  const include = ownFieldsOf(nodeClass)
  if (include.length === 0) return ''
  const dict: Dict = node.toDict({ include })
  const set: Dict = {}
  for (const { name, wire, default: byDefault } of fieldsOf(nodeClass))
    if (include.includes(name) && !deepEqual(dict[wire], byDefault)) set[wire] = dict[wire]
  return Object.keys(set).length === 0 ? '' : quotedText(set)
}
