/** The cases of `postprocessors.json`. */
import { type Area, defineArea, type Operation } from '../../case.ts'
import { chain } from './chain.ts'
import { findClass } from './class.ts'
import { type ClassOperation, classOperations } from './class-operations.ts'
import { components } from './components.ts'
import { functions } from './functions.ts'
import { masking } from './masking.ts'
import { records } from './records.ts'

const byName = defineArea([chain, functions, records], { nullIsAbsent: true, inputsStay: true })
const ofClasses: Readonly<Record<string, ClassOperation>> = { ...classOperations, ...masking, ...components }

/** Operations of one class are named `<Class>.<operation>`. */
function find(op: string): Operation | undefined {
  const dot = op.indexOf('.')
  const postprocessor = findClass(op.slice(0, dot))
  const name = op.slice(dot + 1)
  return postprocessor && Object.hasOwn(ofClasses, name) ? ofClasses[name]?.(postprocessor) : byName.find(op)
}

export const area: Area = { ...byName, names: [...byName.names, ...Object.keys(ofClasses)], find }
