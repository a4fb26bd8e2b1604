/** The cases of `postprocessors.json`. */
import { type Area, defineArea, type Operation } from '../../case.ts'
import { chain } from './chain.ts'
import { findClass, isClass } from './class.ts'
import { classOperations } from './class-operations.ts'
import { functions } from './functions.ts'

const byName = defineArea([chain, functions], { nullIsAbsent: true, inputsStay: true })

/** Operations of one class are named `<Class>.<operation>`. */
function find(op: string): Operation | undefined {
  const [className = '', ...parts] = op.split('.')
  const name = parts.join('.')
  if (!isClass(className) || !Object.hasOwn(classOperations, name)) return byName.find(op)
  return (given, testCase) => classOperations[name]?.(findClass(className), given, testCase)
}

export const area: Area = { ...byName, names: [...byName.names, ...Object.keys(classOperations)], find }
